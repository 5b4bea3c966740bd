import { expect } from 'chai';
import type { PageUrlRule } from '../../../../../src/contract/site.ts';
import { pageUrlPath } from '../../../../../src/sites/pages/generators/pageUrlPath.ts';

type Files = Record<string, string>;
/** A page, its front matter, and its path in URLs. */
type Row = [path: string, frontMatter: string, urlPath: string | null];

/** @param rules the rules of the site's settings */
function derived(path: string, frontMatter: string, files: Files, rules: PageUrlRule[] = []) {
  const fenced = frontMatter.startsWith('+++') ? frontMatter : `---\n${frontMatter}\n---\n`;
  return pageUrlPath(
    { path, source: `${fenced}\n# Title\n` },
    { files: Object.entries(files).map(([name, source]) => ({ path: name, source })), rules },
  );
}

function expectRows(files: Files, rows: Row[]) {
  for (const [path, frontMatter, urlPath] of rows)
    expect(derived(path, frontMatter, files), `${path} with ${frontMatter}`).to.equal(urlPath);
}

describe('pageUrlPath', () => {
  describe('of Hugo', () => {
    it('follows the content folder, the slug and the url', () => {
      expectRows({ 'hugo.toml': 'baseURL = "https://acme.example/"\ntitle = "Acme"\n' }, [
        ['content/_index.md', '', '/'],
        ['content/about.md', '', '/about/'],
        ['content/posts/_index.md', '', '/posts/'],
        ['content/posts/First Post.md', '', '/posts/first-post/'],
        ['content/posts/bundle/index.md', '', '/posts/bundle/'],
        ['content/posts/x.md', 'slug: other', '/posts/other/'],
        ['content/posts/x.md', 'url: /moved/here/', '/moved/here/'],
        ['content/posts/x.md', '+++\nslug = "in-toml"\n+++\n', '/posts/in-toml/'],
        ['content/posts/x.md', 'slug: café', '/posts/caf%C3%A9/'],
        ['content/posts/x.md', 'url: //other.example/a?b#c/', '/other.example/a%3Fb%23c/'],
        ['content/posts/x.md', 'url: "/\\ud800/"', '/%EF%BF%BD/'],
        ['blog/x.md', '', null],
      ]);
    });

    it('follows the permalinks of sections, of the old kind and the new one', () => {
      const dated = 'title: "Hello, World & more"\ndate: 2024-03-09T23:30:00-05:00';
      const old = {
        'config.yaml':
          'baseURL: https://acme.example/\npermalinks:\n  posts: /:year/:month/:title/\n',
      };
      expectRows(old, [
        ['content/posts/x.md', dated, '/2024/03/hello-world-more/'],
        ['content/posts/x.md', 'title: No date', null],
        ['content/notes/x.md', dated, '/notes/x/'],
      ]);
      const current = {
        'hugo.toml':
          'contentDir = "text"\n[permalinks.page]\nposts = "/blog/:slugorcontentbasename/"\nnews = "/:weekdayname/:slug/"\n[permalinks.section]\nposts = "/blog/"\n',
      };
      expectRows(current, [
        ['text/posts/x.md', '', '/blog/x/'],
        ['text/posts/x.md', 'slug: y', '/blog/y/'],
        ['text/posts/_index.md', '', '/blog/'],
        ['text/news/x.md', dated, null],
      ]);
    });

    it('reads the parts of config/_default', () => {
      expectRows(
        {
          'config/_default/hugo.toml': 'uglyURLs = true',
          'config/_default/permalinks.toml': 'posts = "/p/:filename"',
        },
        [
          ['content/posts/x.md', '', '/p/x'],
          ['content/about.md', '', '/about.html'],
        ],
      );
    });

    it('has a prefix for each language but the default one, by folder or by name', () => {
      const byName = {
        'hugo.yaml':
          'defaultContentLanguage: en\nlanguages:\n  en:\n    weight: 1\n  de:\n    weight: 2\n',
      };
      expectRows(byName, [
        ['content/about.md', '', '/about/'],
        ['content/about.de.md', '', '/de/about/'],
        ['content/_index.de.md', '', '/de/'],
        ['content/about.de.md', 'url: ueber', '/de/ueber'],
        ['content/v1.2.md', '', '/v1.2/'],
      ]);
      const byFolder = {
        'hugo.toml':
          'defaultContentLanguage = "de"\ndefaultContentLanguageInSubdir = true\n[languages.de]\ncontentDir = "content/de"\n[languages.en]\ncontentDir = "content/en"\n',
      };
      expectRows(byFolder, [
        ['content/de/about.md', '', '/de/about/'],
        ['content/en/about.md', '', '/en/about/'],
      ]);
    });

    it('is unknown if the configuration is that of another program', () =>
      expectRows({ 'config.toml': 'base_url = "https://acme.example"' }, [
        ['content/x.md', '', null],
      ]));

    it('is unknown with mounted folders, and with a configuration that does not parse', () => {
      const mounts = '[[module.mounts]]\nsource = "docs"\ntarget = "content"\n';
      expectRows({ 'hugo.toml': mounts }, [['content/x.md', '', null]]);
      expectRows({ 'hugo.toml': 'title = ' }, [['content/x.md', '', null]]);
    });
  });

  describe('of Jekyll', () => {
    const dated = '_posts/2024-03-09-Hello-World.md';

    it('follows the pattern of the site, named or not', () => {
      expectRows({ '_config.yml': 'title: Acme\n' }, [
        [dated, '', '/2024/03/09/Hello-World.html'],
        [dated, 'categories: News Team', '/news/team/2024/03/09/Hello-World.html'],
        [dated, 'categories: [News]', '/news/2024/03/09/Hello-World.html'],
        ['blog/_posts/2024-03-09-x.md', '', '/blog/2024/03/09/x.html'],
        [dated, 'date: 2023-12-31 10:00:00', '/2023/12/31/Hello-World.html'],
        [dated, 'date: 2023-12-31 23:00:00 -0500', null],
        [dated, 'slug: other', '/2024/03/09/other.html'],
        [dated, 'permalink: /hello/', '/hello/'],
        [dated, 'published: false', null],
        ['pages/about.md', '', '/pages/about.html'],
        ['pages/index.md', '', '/pages/'],
        ['pages/about.md', 'permalink: /about', '/about'],
      ]);
      expectRows({ '_config.yml': 'permalink: pretty\n' }, [
        [dated, '', '/2024/03/09/Hello-World/'],
        ['pages/about.md', '', '/pages/about/'],
      ]);
      expectRows({ '_config.yml': 'permalink: /writing/:year/:slug\n' }, [
        [dated, '', '/writing/2024/hello-world'],
      ]);
    });

    it('follows the patterns of collections and of the defaults of the front matter', () => {
      const configuration = `
collections:
  content:
    output: true
    permalink: /shops/:path/
  hidden:
    output: false
defaults:
  - scope:
      path: ""
      type: posts
    values:
      permalink: /blog/:title/
  - scope:
      path: _posts/old
    values:
      permalink: /archive/:title/
`;
      expectRows({ '_config.yml': configuration }, [
        ['_content/pages/lisbon.md', '', '/shops/pages/lisbon/'],
        ['_hidden/pages/x.md', '', null],
        [dated, '', '/blog/Hello-World/'],
        ['_posts/old/2020-01-02-x.md', '', '/archive/x/'],
        ['pages/about.md', '', '/pages/about.html'],
      ]);
    });

    it('is unknown if the configuration is that of Hexo', () =>
      expectRows({ '_config.yml': 'source_dir: source' }, [[dated, '', null]]));

    it('is unknown if the defaults are for a pattern of files', () => {
      const globs = 'defaults:\n  - scope: { path: "*/x" }\n    values: { permalink: /y }\n';
      expectRows({ '_config.yml': globs }, [[dated, '', null]]);
    });
  });

  describe('of Eleventy', () => {
    const configuration =
      'export default (config) => ({ dir: { input: "src", output: "_site" } });';

    it('follows the input folder and the permalink of the front matter', () => {
      expectRows({ 'eleventy.config.js': configuration }, [
        ['src/posts/first.md', '', '/posts/first/'],
        ['src/posts/index.md', '', '/posts/'],
        ['src/posts/posts.md', '', '/posts/'],
        ['src/posts/2024-01-02-x.md', '', '/posts/2024-01-02-x/'],
        ['src/posts/x.md', 'permalink: /about/index.html', '/about/'],
        ['src/posts/x.md', 'permalink: feed.html', '/feed.html'],
        ['src/posts/x.md', 'permalink: false', null],
        ['src/posts/2024-01-02-x.md', 'permalink: "/n/{{ page.fileSlug }}/"', '/n/x/'],
        ['src/posts/x.md', 'permalink: "/{{ title | slugify }}/"', null],
        ['posts/x.md', '', null],
      ]);
    });

    it('follows the data of the page and its folders', () => {
      const files = {
        '.eleventy.js': 'module.exports = function () {};',
        'content/content.json': '{ "layout": "page" }',
        'content/posts/posts.11tydata.json': '{ "permalink": "/p/{{ page.fileSlug }}/" }',
        'content/own/own.11tydata.js': 'module.exports = { permalink: (d) => d.title };',
        'content/own/x.11tydata.json': '{ "permalink": "/special/" }',
      };
      expectRows(files, [
        ['content/posts/x.md', '', '/p/x/'],
        ['content/posts/x.md', 'permalink: /y/', '/y/'],
        ['content/own/y.md', '', null],
        ['content/own/x.md', '', '/special/'],
        ['content/notes/x.md', '', '/content/notes/x/'],
      ]);
    });

    it('is unknown if the configuration decides it', () => {
      const computed = 'export default (c) => c.addGlobalData("permalink", () => "/x/");';
      expectRows({ 'eleventy.config.mjs': computed }, [['content/x.md', '', null]]);
      const variable = 'const dir = { input }; export default () => ({ dir });';
      expectRows({ 'eleventy.config.js': variable }, [['content/x.md', '', null]]);
      const called = "export default (c) => { c.setInputDirectory('site'); };";
      expectRows({ 'eleventy.config.js': called }, [['site/posts/x.md', '', '/posts/x/']]);
    });
  });

  describe('of Docusaurus', () => {
    const preset = (options: string) => ({
      'docusaurus.config.ts': `import type { Config } from '@docusaurus/types';
// docs: { routeBasePath: 'comment' }
const config: Config = {
  title: 'Acme',
  presets: [['classic', { ${options} } satisfies Preset.Options]],
};
export default config;`,
    });

    it('follows the folders and the slug', () => {
      expectRows(preset("docs: { sidebarPath: './sidebars.ts' }, blog: {}"), [
        ['docs/intro.md', '', '/docs/intro'],
        ['docs/01-guide/02-start.md', '', '/docs/guide/start'],
        ['docs/guide/index.md', '', '/docs/guide/'],
        ['docs/guide/guide.md', '', '/docs/guide/'],
        ['docs/guide/start.md', 'slug: /begin', '/docs/begin'],
        ['docs/guide/start.md', 'slug: begin', '/docs/guide/begin'],
        ['docs/guide/start.md', 'id: first', '/docs/guide/first'],
        ['docs/7.0-upgrade.md', '', '/docs/7.0-upgrade'],
        ['blog/2024-03-09-hello.md', '', '/blog/2024/03/09/hello'],
        ['blog/2024-03-09-hello/index.mdx', '', '/blog/2024/03/09/hello'],
        ['blog/2024-03-09-hello.md', 'slug: hi', '/blog/hi'],
        ['src/pages/about.md', '', '/about'],
        ['src/pages/index.mdx', '', '/'],
        ['versioned_docs/version-1/x.mdx', '', null],
      ]);
    });

    it('follows a plain routeBasePath and path, and knows no others', () => {
      expectRows(preset("docs: { routeBasePath: '/', path: 'content' }, blog: false"), [
        ['content/intro.md', '', '/intro'],
      ]);
      expectRows(preset('docs: { routeBasePath: base }'), [['docs/intro.md', '', null]]);
      expectRows(preset("docs: {}, plugins: ['@docusaurus/plugin-content-docs']"), [
        ['docs/intro.md', '', null],
      ]);
      expectRows(preset('docs: { numberPrefixParser: false }'), [['docs/intro.md', '', null]]);
    });
  });

  describe('of VitePress', () => {
    const at = (path: string, options: string) => ({
      [path]: `import { defineConfig } from 'vitepress'\nexport default defineConfig({ ${options} })`,
    });

    it('follows its folder, srcDir and cleanUrls', () => {
      expectRows(at('docs/.vitepress/config.mts', "title: 'Acme', themeConfig: { nav: [] }"), [
        ['docs/guide/start.md', '', '/guide/start.html'],
        ['docs/index.md', '', '/'],
        ['docs/guide/index.md', '', '/guide/'],
        ['content/x.md', '', null],
      ]);
      expectRows(at('.vitepress/config.js', "srcDir: './content', cleanUrls: true"), [
        ['content/guide/start.md', '', '/guide/start'],
      ]);
    });

    it('is unknown with rewrites or a folder that is not plain', () => {
      const path = '.vitepress/config.ts';
      for (const options of [
        "rewrites: { 'a.md': 'b.md' }",
        'rewrites(id) { return id }',
        'srcDir: process.env.X',
        'rewrites',
      ])
        expectRows(at(path, options), [['content/x.md', '', null]]);
    });
  });

  describe('by the rules of the settings', () => {
    const rules = [
      { folder: 'src/content', pattern: '/:slug' },
      { folder: 'src/content/blog', pattern: '/blog/:slug/' },
      { folder: 'src/content/news', pattern: '/:year/:month/:name' },
    ];
    const rows: Row[] = [
      ['src/content/blog/a/first.md', '', '/blog/a/first/'],
      ['src/content/blog/first/index.mdx', '', '/blog/first/'],
      ['src/content/blog/first.md', 'slug: other', '/blog/other/'],
      ['src/content/about.md', '', '/about'],
      ['src/content/news/2024-01-02-x.md', '', '/2024/01/x'],
      ['src/content/news/x.md', 'pubDate: 2023-05-06', '/2023/05/x'],
      ['src/content/news/x.md', '', null],
      ['src/content/blogs/x.md', '', '/blogs/x'],
      ['posts/x.md', '', null],
    ];

    it('is at the URL of the innermost folder', () => {
      for (const [path, frontMatter, urlPath] of rows)
        expect(derived(path, frontMatter, {}, rules), path).to.equal(urlPath);
    });

    it('is elsewhere than the generator says', () => {
      const files = { 'hugo.toml': '' };
      const ownRules = [{ folder: 'content/blog', pattern: '/b/:slug' }];
      expect(derived('content/blog/x.md', '', files, ownRules)).to.equal('/b/x');
      expect(derived('content/x.md', '', files, ownRules)).to.equal('/x/');
    });

    it('is unknown without a rule and a generator', () => {
      expect(derived('src/content/blog/x.md', '', {})).to.equal(null);
      expect(derived('src/content/blog/x.md', 'title: [', {}, rules)).to.equal(null);
    });
  });
});
