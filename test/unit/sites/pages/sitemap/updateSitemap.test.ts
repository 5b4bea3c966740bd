import { expect } from 'chai';
import fc from 'fast-check';
import {
  type SitemapChanges,
  updateSitemaps,
} from '../../../../../src/sites/pages/sitemap/updateSitemap.ts';

/** As `updateSitemaps`, for a site with one sitemap. */
const updateSitemap = (source: string, changes: SitemapChanges): string =>
  updateSitemaps([{ path: 'sitemap.xml', source }], changes)[0]?.source ?? source;

const entry = (loc: string, more = '') => `  <url>\n    <loc>${loc}</loc>${more}\n  </url>\n`;
const sitemap = (...entries: string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join('')}</urlset>\n`;
const date = '\n    <lastmod>2026-01-02</lastmod>';

describe('updateSitemap', () => {
  const base = [
    entry('https://x.example/', date),
    entry('https://x.example/about.html', date),
    entry('https://x.example/places/austin.html', date),
    entry('https://x.example/blog/', date),
  ];

  it('adds a page after its neighbours and in their form', () => {
    const lastmod = '2026-11-21T10:00:00.000Z';
    expect(
      updateSitemap(sitemap(...base), {
        added: [{ slug: '/places/dallas' }],
        removed: [],
        lastmod,
      }),
    ).to.equal(
      sitemap(
        ...base.slice(0, 3),
        entry('https://x.example/places/dallas.html', '\n    <lastmod>2026-11-21</lastmod>'),
        ...base.slice(3),
      ),
    );
  });

  it('ends the URL by the kind of the file', () => {
    const added = [
      { slug: '/a', path: 'a.html' },
      { slug: '/b', path: 'b/index.html' },
    ];
    const result = updateSitemap(sitemap(...base), { added, removed: [] });
    expect(result)
      .to.include('<loc>https://x.example/a.html</loc>')
      .and.include('<loc>https://x.example/b/</loc>');
  });

  for (const loop of [
    `{% for post in site.posts %}\n${entry('{{ site.url }}{{ post.url }}')}{% endfor %}\n`,
    `{%- for page in collections.all %}\n${entry('https://x.example{{ page.url }}')}{%- endfor %}\n`,
    `{{ range .Pages }}\n${entry('{{ .Permalink }}')}{{ end }}\n`,
    `<% pages.each do |page| %>\n${entry('<%= page.url %>')}<% end %>\n`,
  ])
    it(`leaves a sitemap that a generator fills as it is: ${loop.split('\n')[0]}`, () => {
      const source = `---\nlayout: null\n---\n${sitemap(...base, loop)}`;
      const changes = { added: [{ slug: '/c' }], removed: [{ slug: '/about' }] };
      expect(updateSitemap(source, changes)).to.equal(source);
    });

  it('removes a deleted page, and no other byte', () => {
    const [home = '', , ...others] = base;
    expect(updateSitemap(sitemap(...base), { added: [], removed: [{ slug: '/about' }] })).to.equal(
      sitemap(home, ...others),
    );
  });

  it('returns the source for a page that is already there or was never there', () => {
    const source = sitemap(...base);
    expect(
      updateSitemap(source, { added: [{ slug: '/blog' }], removed: [{ slug: '/none' }] }),
    ).to.equal(source);
  });

  it("does not copy a neighbour's alternates, images and comments", () => {
    const extras =
      '<xhtml:link rel="alternate" hreflang="de" href="https://x.example/de/"/><image:image><image:loc>i</image:loc></image:image><!-- a -->';
    const result = updateSitemap(
      sitemap(entry('https://x.example/a', extras), entry('https://x.example/b', extras)),
      {
        added: [{ slug: '/c' }],
        removed: [],
      },
    );
    expect(result).to.include(entry('https://x.example/c'));
  });

  it('escapes and encodes what a URL must not contain', () => {
    const result = updateSitemap(sitemap(entry('https://x.example/a&amp;b')), {
      added: [{ slug: '/tom&jerry' }, { slug: '/café' }],
      removed: [],
    });
    expect(result)
      .to.include('https://x.example/tom&amp;jerry')
      .and.include('https://x.example/caf%C3%A9');
    expect(
      updateSitemap(result, { added: [], removed: [{ slug: '/café' }, { slug: '/tom&jerry' }] }),
    ).to.equal(sitemap(entry('https://x.example/a&amp;b')));
  });

  it('finds the folder of a site', () => {
    const source = sitemap(
      entry('https://me.example/project/'),
      entry('https://me.example/project/a'),
    );
    const result = updateSitemap(source, { added: [{ slug: '/b' }], removed: [{ slug: '/a' }] });
    expect(result).to.equal(
      sitemap(entry('https://me.example/project/'), entry('https://me.example/project/b')),
    );
  });

  it('keeps CRLF, a byte order mark and a sitemap on one line', () => {
    const crlf = `\uFEFF${sitemap(...base).replaceAll('\n', '\r\n')}`;
    const added = updateSitemap(crlf, { added: [{ slug: '/n' }], removed: [] });
    expect(updateSitemap(added, { added: [], removed: [{ slug: '/n' }] })).to.equal(crlf);
    const line = '<urlset><url><loc>https://x.example/a</loc></url></urlset>';
    expect(updateSitemap(line, { added: [{ slug: '/b' }], removed: [] })).to.equal(
      '<urlset><url><loc>https://x.example/a</loc></url><url><loc>https://x.example/b</loc></url></urlset>',
    );
  });

  it('leaves a sitemap index, an empty sitemap and a commented entry as they are', () => {
    for (const source of [
      '<sitemapindex><sitemap><loc>https://x.example/s.xml</loc></sitemap></sitemapindex>',
      '<urlset/>',
      '<urlset><!-- <url><loc>https://x.example/a</loc></url> --></urlset>',
    ])
      expect(
        updateSitemap(source, { added: [{ slug: '/b' }], removed: [{ slug: '/a' }] }),
      ).to.equal(source);
  });
});

describe('updateSitemaps(files, changes)', () => {
  const lastmod = '2026-11-21T10:00:00.000Z';
  const file = (path: string, ...slugs: string[]) => ({
    path,
    source: sitemap(...slugs.map((slug) => entry(`https://x.example${slug}`))),
  });
  const index = (...names: string[]) => ({
    path: 'sitemap.xml',
    source: `<sitemapindex>${names.map((name) => `<sitemap><loc>https://x.example/${name}</loc><lastmod>2026-01-02</lastmod></sitemap>`).join('')}</sitemapindex>`,
  });
  const pagesFile = file('page-sitemap.xml', '/', '/about', '/shops/york', '/shops/leeds');
  const postsFile = file('post-sitemap.xml', '/blog/one', '/blog/two');
  const files = [index('page-sitemap.xml', 'post-sitemap.xml'), pagesFile, postsFile];
  const added = (...slugs: string[]) => slugs.map((slug) => ({ slug }));

  it('adds a page where its folder is, and dates the index', () => {
    const changes = { added: added('/blog/three'), removed: [], lastmod };
    const [posts, dated, ...others] = updateSitemaps(files, changes);
    expect(posts).to.deep.equal(file('post-sitemap.xml', '/blog/one', '/blog/two', '/blog/three'));
    expect(dated!.source).to.equal(
      files[0]!.source.replace(
        '/post-sitemap.xml</loc><lastmod>2026-01-02',
        '/post-sitemap.xml</loc><lastmod>2026-11-21',
      ),
    );
    expect(others).to.deep.equal([]);
  });

  it('adds a page of a new folder where the folder above is, and none to lists of pictures', () => {
    const pictures = file('image-sitemap.xml', '/new/a', '/new/b');
    const changes = { added: added('/new/page'), removed: [] };
    const [made] = updateSitemaps([pictures, ...files], changes);
    expect(made!.path).to.equal('page-sitemap.xml');
  });

  it('lists every page once, whatever file it is in, and no page that is gone', () => {
    const slugs = ['/a', '/b', '/s/a', '/s/b', '/s/c', '/t/a'];
    const some = fc.uniqueArray(fc.constantFrom(...slugs), { minLength: 1 });
    fc.assert(
      fc.property(
        some,
        fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
        some,
        some,
        (listed, isFirst, coming, going) => {
          const parts = [true, false].map((first) =>
            file(`sitemap-${first}.xml`, '/home', ...listed.filter((_, i) => isFirst[i] === first)),
          );
          const changes = { added: added(...coming), removed: added(...going) };
          const changed = new Map(
            updateSitemaps(parts, changes).map((one) => [one.path, one.source]),
          );
          const found = parts
            .flatMap(({ path, source }) => [
              ...(changed.get(path) ?? source).matchAll(/<loc>https:\/\/x.example([^<]*)/g),
            ])
            .map(([, slug = '']) => slug)
            .filter((slug) => slug !== '/home');
          const wanted = new Set(listed).difference(new Set(going)).union(new Set(coming));
          expect(found.sort()).to.deep.equal([...wanted].sort());
        },
      ),
    );
  });
});
