import { execFile } from 'node:child_process';
import {
  cpSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../documents.ts';

const run = promisify(execFile);

/** A site in Markdown: a starter that its generator's authors publish, or a small one from here. */
interface Starter {
  /** Makes the folder of the site. */
  create(folder: string, tools: string): void | Promise<void>;
  /** The command of the site's generator, and the folder with what it builds. */
  build?: { command(tools: string): string[]; output: string };
  /** New pages: their templates' files, and where the generator builds them. */
  newPages: { template: string; slug: string; builtFile: string }[];
}

/** By the names of their generators. */
export const starters: Record<string, Starter> = {
  Astro: {
    create: (folder) => cpSync(join(import.meta.dirname, 'astro'), folder, { recursive: true }),
    build: {
      command: (tools) => [
        process.execPath,
        join(tools, 'node_modules/astro/bin/astro.mjs'),
        'build',
      ],
      output: 'dist',
    },
    newPages: [
      {
        template: 'src/content/blog/austin.mdx',
        slug: '/src/content/blog/lisbon',
        builtFile: 'blog/lisbon/index.html',
      },
      { template: 'src/pages/about.md', slug: '/src/pages/team', builtFile: 'team/index.html' },
    ],
  },
  Eleventy: {
    create: (folder) => cpSync(join(root, 'src/demo/notes'), folder, { recursive: true }),
    build: {
      command: () => [process.execPath, join(root, 'node_modules/@11ty/eleventy/cmd.cjs')],
      output: '_site',
    },
    newPages: [
      {
        template: 'content/workshops/austin.md',
        slug: '/content/workshops/lisbon',
        builtFile: 'workshops/lisbon/index.html',
      },
    ],
  },
  Hugo: {
    async create(folder, tools) {
      const args = ['new', 'theme', basename(folder), '--themesDir', dirname(folder)];
      await run(join(tools, 'hugo'), args);
    },
    build: { command: (tools) => [join(tools, 'hugo')], output: 'public' },
    newPages: [
      {
        template: 'content/posts/post-1.md',
        slug: '/content/posts/lisbon',
        builtFile: 'posts/lisbon/index.html',
      },
      {
        template: 'content/posts/post-3/index.md',
        slug: '/content/posts/oslo',
        builtFile: 'posts/oslo/index.html',
      },
    ],
  },
  Jekyll: {
    async create(folder) {
      await run('jekyll', ['new', folder, '--skip-bundle']);
      rmSync(join(folder, 'Gemfile'));
      // `.markdown` files are not pages, and `.md` files are pages in content folders only
      moveFile(folder, '_posts/*.markdown', '_posts/2024-01-02-welcome.md');
      moveFile(folder, 'about.markdown', 'pages/about.md');
      moveFile(folder, 'index.markdown', 'index.md');
    },
    build: { command: () => ['jekyll', 'build', '--quiet'], output: '_site' },
    newPages: [
      {
        template: '_posts/2024-01-02-welcome.md',
        slug: '/_posts/2024-05-06-lisbon',
        builtFile: 'jekyll/update/2024/05/06/lisbon.html',
      },
      { template: 'pages/about.md', slug: '/pages/team', builtFile: 'team/index.html' },
    ],
  },
  VitePress: {
    create(folder, tools) {
      const content = join(folder, 'content');
      copyStarter(content, tools, 'vitepress/template');
      rmSync(join(content, '.vitepress'), { recursive: true });
      const index = readFileSync(join(content, 'index.md'), 'utf8');
      const start = index.indexOf('---');
      const chosen = index.slice(start, index.indexOf('<% } else'));
      writeFileSync(join(content, 'index.md'), chosen.replace(/<%= (\w+) %>/g, 'The $1'));
      mkdirSync(join(folder, '.vitepress'));
      writeFileSync(
        join(folder, '.vitepress/config.mjs'),
        "export default { srcDir: 'content' };\n",
      );
    },
    build: {
      command: (tools) => [
        process.execPath,
        join(tools, 'node_modules/vitepress/bin/vitepress.js'),
        'build',
      ],
      output: '.vitepress/dist',
    },
    newPages: [
      {
        template: 'content/api-examples.md',
        slug: '/content/lisbon',
        builtFile: 'lisbon.html',
      },
    ],
  },
  Docusaurus: {
    create: (folder, tools) => copyStarter(folder, tools, 'create-docusaurus/templates/shared'),
    newPages: [],
  },
  Next: {
    create: (folder, tools) =>
      copyStarter(folder, tools, 'create-fumadocs-app/template/+next+fuma-docs-mdx/content'),
    newPages: [],
  },
};

const copyStarter = (folder: string, tools: string, path: string) =>
  cpSync(join(tools, 'node_modules', path), folder, { recursive: true });

function moveFile(folder: string, from: string, to: string): void {
  const [path] = globSync(from, { cwd: folder });
  mkdirSync(dirname(join(folder, to)), { recursive: true });
  renameSync(join(folder, path!), join(folder, to));
}

/** Builds a site with its generator. @throws with what the generator says */
export async function buildSite(folder: string, tools: string, starter: Starter): Promise<void> {
  const [program, ...args] = starter.build!.command(tools);
  const modules = join(folder, 'node_modules');
  symlinkSync(join(starter === starters['Eleventy'] ? root : tools, 'node_modules'), modules);
  await run(program!, args, {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      LANG: 'C.UTF-8',
      TZ: 'UTC',
      ASTRO_TELEMETRY_DISABLED: '1',
    },
    maxBuffer: 10_000_000,
  });
}
