import { expect } from 'chai';
import { noteValues } from '../../../../src/contract/task.ts';
import { listingNotes } from '../../../../src/sites/checks/listingNotes.ts';
import { testPages as pages } from '../../../helpers/threads.ts';
import { memoryTree } from '../../agents/memoryTree.ts';

const page = (path: string) => ({ slug: pages.slugOf(path), path });
const site = {
  'index.html': '',
  'about.html': '',
  'shops/york.html': '',
  'search.json':
    '[{"title": "York", "url": "/shops/york.html"}, {"title": "About", "url": "/about"}]',
  'feed.xml': '<rss><item><link>https://x.example/blog/one</link></item></rss>',
  'llms.txt': '- [York](https://x.example/shops/york): our first shop',
  _redirects: '/old /about 301\n/us https://y.example/about 301\n/team /about#team 302\n',
};

describe('listingNotes(pages, done)', () => {
  const listingNotesOf = async (
    changes: { created?: string[]; deleted?: string[] },
    more: object = {},
    files: Record<string, string> = site,
  ) => {
    const { created = [], deleted = [] } = changes;
    const notes = await listingNotes(pages, {
      tree: memoryTree(files),
      changed: { created: created.map(page), modified: [], deleted: deleted.map(page) },
      moved: [],
      redirects: [],
      paths: [...created, ...deleted],
      ...more,
    });
    return notes;
  };
  /** The kind, page and values of each note. */
  const notesOf = async (...request: Parameters<typeof listingNotesOf>) =>
    (await listingNotesOf(...request)).map(({ kind, page, ...note }) =>
      [kind, page, ...noteValues(note)].join(' '),
    );

  it('words each kind of note', async () => {
    const created = await listingNotesOf({ created: ['shops/hull.html'] });
    const deleted = await listingNotesOf({ deleted: ['about.html'] });
    expect([...created, ...deleted].map(({ text }) => text)).to.deep.equal([
      '/shops/hull: search.json, llms.txt list other pages of the same folder, but not this page',
      '/about: search.json lists the former URL of the page, /about',
      '/about: redirects in _redirects still lead to the page: /old, /team',
    ]);
  });

  it('names the files that list the folder of a new page without it', async () => {
    expect(await notesOf({ created: ['shops/hull.html'] })).to.deep.equal([
      'part /shops/hull search.json llms.txt',
    ]);
  });

  it('names a sitemap that only an index names', async () => {
    const files = {
      'shops/york.html': '',
      'sitemap.xml': '<sitemapindex><loc>https://x.example/all.xml</loc></sitemapindex>',
      'all.xml': '<urlset><loc>https://x.example/shops/york</loc></urlset>',
    };
    expect(await notesOf({ created: ['shops/hull.html'] }, {}, files)).to.deep.equal([
      'part /shops/hull all.xml',
    ]);
  });

  it('names a sitemap that only the rules for robots name, and none that the task changed', async () => {
    const files = {
      'shops/york.html': '',
      'robots.txt': 'Disallow: /shops/york\nSitemap: https://x.example/maps/all.xml\n',
      'maps/all.xml': '<urlset><loc>https://x.example/shops/york</loc></urlset>',
    };
    const created = ['shops/hull.html'];
    expect(await notesOf({ created }, {}, files)).to.deep.equal([
      'part /shops/hull robots.txt maps/all.xml',
    ]);
    expect(
      await notesOf({ created }, { paths: [...created, 'maps/all.xml'] }, files),
    ).to.deep.equal(['part /shops/hull robots.txt']);
  });

  it('names rules for robots and a search index in a script', async () => {
    const files = {
      'shops/york.html': '',
      'robots.txt': 'User-agent: *\nDisallow: /shops/york\n',
      'js/search-index.js': 'index = [{"title": "York", "url": "/shops/york.html"}]',
    };
    expect(await notesOf({ created: ['shops/hull.html'] }, {}, files)).to.deep.equal([
      'part /shops/hull robots.txt js/search-index.js',
    ]);
    expect(await notesOf({ deleted: ['shops/york.html'] }, {}, files)).to.deep.equal([
      'part /shops/york robots.txt js/search-index.js',
    ]);
  });

  it('names a compressed sitemap, unless another sitemap was updated', async () => {
    const files = {
      'shops/york.html': '',
      'sitemap.xml': '<sitemapindex><loc>https://x.example/pages.xml.gz</loc></sitemapindex>',
      'pages.xml.gz': '',
    };
    const compressed = 'part  pages.xml.gz';
    expect(await notesOf({ created: ['shops/hull.html'] }, {}, files)).to.deep.equal([compressed]);
    expect(await notesOf({ deleted: ['shops/york.html'] }, {}, files)).to.deep.equal([compressed]);
    const paths = ['shops/hull.html', 'sitemap-2.xml'];
    expect(await notesOf({ created: ['shops/hull.html'] }, { paths }, files)).to.deep.equal([]);
  });

  it("names hosts' rules that lead to a deleted page, and no new page for them", async () => {
    const files = { 'about.html': '', 'vercel.json': '{"redirects": [{"destination": "/about"}]}' };
    expect(await notesOf({ deleted: ['about.html'] }, {}, files)).to.deep.equal([
      'part /about vercel.json',
    ]);
    expect(await notesOf({ created: ['us.html'] }, {}, files)).to.deep.equal([]);
  });

  it('says nothing of files that list the page, other folders or nothing', async () => {
    const listed = {
      ...site,
      'search.json': `${site['search.json']}"/shops/hull"`,
      'llms.txt': '',
    };
    expect(await notesOf({ created: ['shops/hull.html'] }, {}, listed)).to.deep.equal([]);
    expect(await notesOf({ created: ['news/one.html'] })).to.deep.equal([]);
    expect(await notesOf({})).to.deep.equal([]);
  });

  it('says nothing of files that the task changed itself', async () => {
    const paths = ['shops/hull.html', 'search.json', 'llms.txt'];
    expect(await notesOf({ created: ['shops/hull.html'] }, { paths })).to.deep.equal([]);
  });

  it('names the files and redirects that still lead to a deleted page', async () => {
    expect(await notesOf({ deleted: ['about.html'] })).to.deep.equal([
      'part /about search.json',
      'part /about /old /team',
    ]);
    const redirects = [{ from: '/about', to: '/' }];
    expect(await notesOf({ deleted: ['about.html'] }, { redirects })).to.deep.equal([
      'part /about search.json',
    ]);
  });

  it('says of a moved page only where its former address is listed', async () => {
    const moved = [{ from: '/about', to: '/us', isOver: false }];
    const redirects = [{ from: '/about', to: '/us' }];
    expect(
      await notesOf({ created: ['us.html'], deleted: ['about.html'] }, { moved, redirects }),
    ).to.deep.equal(['part /us search.json']);
  });
});
