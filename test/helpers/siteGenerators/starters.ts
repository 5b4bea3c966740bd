import { execFile } from 'node:child_process';
import {
  cpSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { PageUrlRule } from '../../../src/contract/site.ts';
import { root } from '../documents.ts';

const run = promisify(execFile);

/** How a generator builds a site. */
export interface SiteBuild {
  command(tools: string): string[];
  /** The folder with what it builds. */
  output: string;
  /** Whether it is a package of this repository, which the tools lack. */
  isOurs?: true;
}

/** A site in Markdown: a starter that its generator's authors publish, or a small one from here. */
interface Starter {
  /** Makes the folder of the site. */
  create(folder: string, tools: string): void | Promise<void>;
  build?: SiteBuild;
  /** The rules for the URLs of its pages, if these do not follow from its configuration. */
  rules?: PageUrlRule[];
  /** New pages, and the files of their templates. */
  newPages: { template: string; slug: string }[];
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
    rules: [
      { folder: 'src/content/blog', pattern: '/blog/:slug/' },
      { folder: 'src/pages', pattern: '/:slug/' },
    ],
    newPages: [
      {
        template: 'src/content/blog/austin.mdx',
        slug: '/src/content/blog/lisbon',
      },
      { template: 'src/pages/about.md', slug: '/src/pages/team' },
    ],
  },
  Eleventy: {
    create: (folder) => cpSync(join(root, 'src/demo/notes'), folder, { recursive: true }),
    build: {
      command: () => [process.execPath, join(root, 'node_modules/@11ty/eleventy/cmd.cjs')],
      output: '_site',
      isOurs: true,
    },
    newPages: [
      {
        template: 'content/workshops/austin.md',
        slug: '/content/workshops/lisbon',
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
      },
      {
        template: 'content/posts/post-3/index.md',
        slug: '/content/posts/oslo',
      },
    ],
  },
  Jekyll: {
    async create(folder) {
      await run('jekyll', ['new', folder, '--skip-bundle']);
      rmSync(join(folder, 'Gemfile'));
      fixPostDates(folder);
    },
    build: { command: () => ['jekyll', 'build', '--quiet'], output: '_site' },
    newPages: [
      {
        template: '_posts/2024-01-02-welcome.markdown',
        slug: '/_posts/2024-05-06-lisbon',
      },
      { template: 'about.markdown', slug: '/team' },
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

/**
 * Gives the only post of a new site of Jekyll one date in its name and another in its front matter.
 * `jekyll new` writes the current time there, and `jekyll build` ignores a date that is the second
 * of the build.
 */
function fixPostDates(folder: string): void {
  const [name] = globSync('_posts/*.markdown', { cwd: folder });
  const path = join(folder, name!);
  const text = readFileSync(path, 'utf8');
  rmSync(path);
  writeFileSync(
    join(folder, '_posts/2024-01-02-welcome.markdown'),
    text.replace(/^date:.*$/m, 'date: 2025-03-04 05:06:07 +0000'),
  );
}

/** Builds a site with its generator. @throws with what the generator says */
export async function buildSite(folder: string, tools: string, starter: Starter): Promise<void> {
  const [program, ...args] = starter.build!.command(tools);
  const modules = join(folder, 'node_modules');
  symlinkSync(join(starter.build!.isOurs ? root : tools, 'node_modules'), modules);
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
