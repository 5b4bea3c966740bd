import { expect } from 'chai';
import { findUnknownPageUrls, missingDataFileWarnings } from '../../../src/api/pageUrlCheck.ts';
import type { PageUrlRule } from '../../../src/contract/site.ts';
import { DomainError } from '../../../src/errors.ts';
import type { Tree } from '../../../src/sites/git/repository.ts';
import { testPages } from '../../helpers/threads.ts';

const never = new AbortController().signal;

/** A sitemap with these paths. */
const sitemapOf = (paths: string[], element = 'urlset') =>
  `<${element}>${paths.map((path) => `<url><loc>\n https://www.acme.example${path}</loc></url>`).join('')}</${element}>`;

const treeOf = (files: Record<string, string>) =>
  ({
    entries: new Map(
      Object.entries(files).map(([path, source]) => [
        path,
        { path, id: path, mode: '100644', size: source.length },
      ]),
    ),
    read: (path: string) => Promise.resolve(files[path]!),
  }) as unknown as Tree;

describe('findUnknownPageUrls', () => {
  let requested: string[];
  beforeEach(() => (requested = []));

  const findIn = async (
    paths: string[],
    online: Record<string, string>,
    {
      rules = [],
      files = {},
      liveUrl = 'https://acme.example/',
    }: { rules?: PageUrlRule[]; files?: Record<string, string>; liveUrl?: string | null } = {},
  ) => {
    const pages = Object.fromEntries(paths.map((path) => [path, '# Title\n']));
    const proposals = await findUnknownPageUrls(
      {
        pages: testPages,
        send: ({ url }) => {
          requested.push(url);
          if (url.endsWith('sitemap_index.xml')) throw new DomainError('UNAVAILABLE', 'No answer');
          const body = online[url];
          return Promise.resolve({
            status: body === undefined ? 404 : 200,
            headers: {},
            body: Buffer.from(body ?? ''),
          });
        },
      },
      { tree: treeOf({ ...pages, ...files }), rules, liveUrl },
      never,
    );
    return proposals.map(({ folder, pages: count, pattern, example }) => [
      folder,
      count,
      pattern,
      example?.url ?? null,
    ]);
  };

  it('proposes the rule of each folder that fits the sitemap', async () => {
    const paths = [
      'src/content/blog/first.md',
      'src/content/blog/more/second.mdx',
      'src/content/notes/2024-05-06-third.md',
      'src/content/hidden/fourth.md',
      'posts/fifth.md',
    ];
    const sitemap = sitemapOf([
      '/',
      '/tags/first/',
      '/blog/first/',
      '/blog/more/second/',
      '/n/2024/05/third',
      '/fifth',
    ]);
    expect(await findIn(paths, { 'https://acme.example/sitemap.xml': sitemap })).to.deep.equal([
      ['src/content/blog', 2, '/blog/:slug/', 'https://acme.example/blog/first/'],
      ['src/content/notes', 1, '/n/:year/:month/:name', 'https://acme.example/n/2024/05/third'],
      ['src/content/hidden', 1, null, null],
      ['posts', 1, '/:slug', 'https://acme.example/fifth'],
    ]);
  });

  it('proposes the rules of Fumadocs at Next, and by them each page is at its URL', async () => {
    const urls = {
      'content/docs/index.mdx': '/docs',
      'content/docs/test.mdx': '/docs/test',
      'content/docs/guide/index.mdx': '/docs/guide',
      'content/docs/guide/start.mdx': '/docs/guide/start',
      'content/docs/(extra)/faq.mdx': '/docs/faq',
      'content/docs/help/(more)/index.mdx': '/docs/help',
      'content/blog/hello.mdx': '/blog/hello',
    };
    const sitemap = sitemapOf(['/', '/blog', ...Object.values(urls)]);
    const files = { 'next.config.mjs': 'export default createMDX()({ reactStrictMode: true });' };
    const online = { 'https://acme.example/sitemap.xml': sitemap };
    expect(await findIn(Object.keys(urls), online, { files })).to.deep.equal([
      ['content/docs', 6, '/docs/:slug', 'https://acme.example/docs/test'],
      ['content/blog', 1, '/blog/:slug', 'https://acme.example/blog/hello'],
    ]);
    const rules = [
      { folder: 'content/docs', pattern: '/docs/:slug' },
      { folder: 'content/blog', pattern: '/blog/:slug' },
    ];
    for (const [path, url] of Object.entries(urls))
      expect(
        await testPages.pageUrlPath({ path, source: '# Title\n' }, { files: [], rules }),
      ).to.equal(url);
  });

  it('reads the parts of a sitemap, at the live site only, and below its base', async () => {
    const liveUrl = 'https://acme.example/site/index.html';
    const online = {
      'https://acme.example/site/sitemap-index.xml': sitemapOf(
        ['/site/sitemap-0.xml'],
        'sitemapindex',
      ),
      'https://acme.example/site/sitemap-0.xml': sitemapOf(['/site/blog/first']),
    };
    expect(await findIn(['src/content/blog/first.md'], online, { liveUrl })).to.deep.equal([
      ['src/content/blog', 1, '/blog/:slug', 'https://acme.example/site/blog/first'],
    ]);
    expect(requested).to.deep.equal([
      'https://acme.example/site/sitemap.xml',
      'https://acme.example/site/sitemap-index.xml',
      'https://acme.example/site/sitemap-0.xml',
    ]);
  });

  it('proposes nothing without a sitemap, and requests nothing without a live URL', async () => {
    const unknown = [['src/content/blog', 1, null, null]];
    const paths = ['src/content/blog/first.md'];
    expect(await findIn(paths, {})).to.deep.equal(unknown);
    requested = [];
    expect(await findIn(paths, {}, { liveUrl: null })).to.deep.equal(unknown);
    expect(requested).to.deep.equal([]);
  });

  it('finds nothing if a rule or the configuration of a generator says it', async () => {
    const rules = [{ folder: 'content', pattern: '/:slug' }];
    expect(await findIn(['content/blog/first.md'], {}, { rules })).to.deep.equal([]);
    const files = { 'hugo.toml': 'title = "Acme"' };
    expect(await findIn(['content/blog/first.md'], {}, { files })).to.deep.equal([]);
    expect(await findIn([], {}, { files: { 'index.html': '<h1>Acme</h1>' } })).to.deep.equal([]);
    expect(requested).to.deep.equal([]);
  });

  describe('with data files', () => {
    const texts = (slug: string) => ({ slug, intro: `All our shops in ${slug} are open today.` });
    const sitemap = sitemapOf(['/cities/berlin/', '/cities/paris/', '/about/']);
    const online = { 'https://acme.example/sitemap.xml': sitemap };

    it('proposes a rule for those whose entries are at the URLs of the sitemap', async () => {
      const files = {
        '_data/cities.yml':
          '- slug: berlin\n  intro: All our shops in Berlin are open.\n- slug: paris\n  intro: All our shops in Paris are open.\n',
        'src/cities.json': JSON.stringify([texts('berlin'), texts('paris'), texts('rome')]),
        '_data/menu.json': JSON.stringify([{ slug: 'berlin' }, { slug: 'paris' }]),
        '_data/people.json': JSON.stringify([texts('ann'), texts('ben')]),
        '_data/one.json': JSON.stringify([texts('berlin'), texts('other')]),
        '_data/broken.json': '[{',
        'package.json': JSON.stringify([texts('berlin'), texts('paris')]),
      };
      expect(await findIn([], online, { files })).to.deep.equal([
        ['_data/cities.yml', 2, '/cities/:slug/', 'https://acme.example/cities/berlin/'],
        ['src/cities.json', 3, '/cities/:slug/', 'https://acme.example/cities/berlin/'],
      ]);
    });

    it('proposes a rule for a folder of files, each of which is one entry', async () => {
      const file = (slug: string) => JSON.stringify(texts(slug));
      const files = {
        'src/content/cities/berlin.json': file('berlin'),
        'src/content/cities/paris.json': file('paris'),
        'src/content/people/ann.json': file('ann'),
        'src/content/people/ben.json': file('ben'),
      };
      const pattern = '/cities/:slug/';
      const folder = 'src/content/cities/*.json';
      expect(await findIn([], online, { files })).to.deep.equal([
        [folder, 2, pattern, 'https://acme.example/cities/berlin/'],
      ]);
      const rules = [{ folder, pattern }];
      expect(await findIn([], online, { files, rules })).to.deep.equal([]);
      expect(missingDataFileWarnings(treeOf(files), rules)).to.deep.equal([]);
      expect(missingDataFileWarnings(treeOf({}), rules)).to.have.length(1);
    });

    it('proposes nothing for those that have a rule, or without a live URL', async () => {
      const files = { 'src/cities.json': JSON.stringify([texts('berlin'), texts('paris')]) };
      const rules = [{ folder: 'src/cities.json', pattern: '/:slug' }];
      expect(await findIn([], online, { files, rules })).to.deep.equal([]);
      expect(await findIn([], online, { files, liveUrl: null })).to.deep.equal([]);
    });

    it('warns about rules for data files that do not exist', () => {
      const rules = [
        { folder: 'src/cities.json', pattern: '/:slug' },
        { folder: 'src/missing.yml', pattern: '/:slug' },
        { folder: 'content', pattern: '/:slug' },
      ];
      const warnings = missingDataFileWarnings(treeOf({ 'src/cities.json': '[]' }), rules);
      expect(warnings.map(({ message }) => message)).to.have.length(1);
      expect(warnings[0]!.message).to.include('src/missing.yml').and.not.include('src/cities');
    });
  });
});
