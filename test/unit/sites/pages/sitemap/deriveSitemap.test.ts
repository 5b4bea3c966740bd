import { expect } from 'chai';
import {
  findChangedPages,
  checkSitemap,
  deriveSitemap,
  sitemapTooLargeError,
} from '../../../../../src/sites/pages/sitemap/deriveSitemap.ts';
import type { Site } from '../../../../../src/contract/site.ts';
import { memoryTree } from '../../../agents/memoryTree.ts';
import { testPages as pages } from '../../../../helpers/threads.ts';

const options = {
  pages,
  createdAt: '2026-03-04T05:06:07.890Z',
  ownHost: undefined,
  read: () => Promise.resolve(''),
};
const url = (path: string) =>
  `<url><loc>https://x.example${path}</loc><lastmod>2026-01-01</lastmod></url>`;
const sitemap = (...paths: string[]) => `<urlset>${paths.map(url).join('')}</urlset>`;
const page = (path: string) => ({ slug: pages.slugOf(path), path });

describe('deriveSitemap(tree, changed, options)', () => {
  const tree = memoryTree({
    'a.html': '',
    'a/index.html': '',
    'b.html': '',
    'sitemap.xml': sitemap('/a', '/b'),
  });

  it('adds pages with the date of the task, and removes deleted ones', async () => {
    const [change] = await deriveSitemap(
      tree,
      { created: [page('c.html')], deleted: [page('b.html')] },
      options,
    );
    expect(change?.content).to.equal(
      sitemap('/a').replace(
        '</urlset>',
        url('/c').replace('2026-01-01', '2026-03-04') + '</urlset>',
      ),
    );
  });

  it('keeps a page that lost one of its two files', async () => {
    expect(
      await deriveSitemap(tree, { created: [], deleted: [page('a.html')] }, options),
    ).to.deep.equal([]);
  });

  it('does not list a page that asks search engines not to list it', async () => {
    const read = () => Promise.resolve('<meta name="robots" content="noindex">');
    const changed = { created: [page('c.html')], deleted: [] };
    expect(await deriveSitemap(tree, changed, { ...options, read })).to.deep.equal([]);
  });

  it('leaves pages in Markdown to the generator of a site with an external host', async () => {
    const changed = { created: [page('c.md')], deleted: [] };
    const ownHost = {} as Site['ownHost'];
    expect(await deriveSitemap(tree, changed, options)).to.have.length(1);
    expect(await deriveSitemap(tree, changed, { ...options, ownHost })).to.deep.equal([]);
    const both = { created: [page('c.md'), page('c.html')], deleted: [page('b.html')] };
    const [change] = await deriveSitemap(tree, both, { ...options, ownHost });
    expect(change?.content).to.equal(
      sitemap('/a', '/c').replace(/2026-01-01(?=[^-]*$)/, '2026-03-04'),
    );
  });

  it('rejects a sitemap that is too large, or that would become too large', async () => {
    const large = (bytes: number) => {
      const made = memoryTree({ 'a.html': '', 'sitemap.xml': sitemap('/a') });
      return {
        ...made,
        entries: new Map(made.entries).set('sitemap.xml', {
          path: 'sitemap.xml',
          id: '',
          mode: '100644',
          size: bytes,
        }),
      };
    };
    const changed = { created: [page('c.html')], deleted: [] };
    const { message } = sitemapTooLargeError('sitemap.xml', 20_000_001);
    expect(() => checkSitemap(large(20_000_001)))
      .to.throw(message)
      .with.property('code', 'LIMIT_EXCEEDED');
    expect(() => checkSitemap(large(20_000_000))).to.not.throw();
    expect(() => checkSitemap(memoryTree({}))).to.not.throw();
    const refused = await deriveSitemap(large(20_000_001), changed, options).catch(
      (error: unknown) => error,
    );
    expect(refused).to.have.property('message', message);
    const full = sitemap('/a').replace(
      '<urlset>',
      `<!--${'x'.repeat(19_999_990 - sitemap('/a').length)}--><urlset>`,
    );
    const grown = deriveSitemap(
      memoryTree({ 'a.html': '', 'sitemap.xml': full }),
      changed,
      options,
    );
    expect(await grown.catch((error: unknown) => error))
      .to.have.property('message')
      .that.matches(/^sitemap\.xml .*\b2\d{7} bytes\b.*\b20000000\b/);
  });

  it('changes nothing on a site without a sitemap, or if no page was added or removed', async () => {
    const without = memoryTree({ 'a.html': '' });
    expect(
      await deriveSitemap(without, { created: [page('c.html')], deleted: [] }, options),
    ).to.deep.equal([]);
    expect(await deriveSitemap(tree, { created: [], deleted: [] }, options)).to.deep.equal([]);
  });
});

describe('findChangedPages(pages, before, after, paths)', () => {
  it('returns added, changed and removed pages in the order of the paths, and no other files', () => {
    const before = memoryTree({ 'a.html': '1', 'b.html': '1', 'same.html': '1', 'x.css': '1' });
    const now = memoryTree({
      'a.html': '2',
      'same.html': '1',
      'd.html': '1',
      'c.html': '1',
      'x.css': '2',
    });
    const paths = ['d.html', 'c.html', 'b.html', 'a.html', 'same.html', 'x.css'];
    expect(findChangedPages(pages, before, now, paths)).to.deep.equal({
      created: [page('d.html'), page('c.html')],
      modified: [page('a.html')],
      deleted: [page('b.html')],
    });
  });
});
