import { expect } from 'chai';
import type { PageFile } from '../../../../../../src/contract/site.ts';
import { asHtml } from '../asHtml.ts';
import { pageCalls } from '../../../../../../src/sites/pages/pageCalls.ts';
import type { PageSource } from '../../../../../../src/sites/formats/format.ts';
import { corpus } from '../../../corpus.ts';
import { DomainError } from '../../../../../../src/errors.ts';

const fileAt = (path: string): PageFile => ({ path, slug: asHtml.slugOf(path) });

interface Options {
  sitePaths?: string[];
  siblings?: PageSource[];
}

/** A new page at `to` made from a template at `from`, no text changed. */
function move(
  source: string,
  from: string,
  to: string,
  { sitePaths = [], siblings = [] }: Options = {},
): string {
  const template = { path: from, source };
  const { digest } = pageCalls.readTemplate(template, siblings);
  return pageCalls.create({ template, target: fileAt(to), texts: {}, sitePaths, digest, siblings });
}

const canonical = '<link rel="canonical" href="https://x.example/places/austin">';

describe('a new page at its own path', () => {
  const links: [from: string, to: string, before: string, after: string][] = [
    ['a.html', 'b/c.html', 'css/x.css', '../css/x.css'],
    ['a.html', 'b/c/d.html', './css/x.css?v=1#top', '../../css/x.css?v=1#top'],
    ['b/c/a.html', 'd.html', '../e', 'b/e'],
    ['b/a/index.html', 'b/c/index.html', 'photo.jpg', '../a/photo.jpg'],
    ['b/a.html', 'd.html', '../', './'],
    ['b/a.html', 'c/d.html', '/x.css', '/x.css'],
    ['b/a.html', 'c/d/e.html', '#part', '#part'],
    ['b/a.html', 'c/d/e.html', '?page=2', '?page=2'],
    ['b/a.html', 'c/d/e.html', 'https://y.example/x', 'https://y.example/x'],
    ['b/a.html', 'c/d/e.html', 'sub/x.png', '../../b/sub/x.png'],
    // to itself
    ['b/a.html', 'c/d.html', 'a.html#x', 'd.html#x'],
    ['b/a.html', 'c/d.html', '../b/a', 'd'],
    ['b/a.html', 'c/d.html', '/b/a/', '/c/d/'],
    ['b/a.html', 'b/café.html', '/b/a', '/b/caf%C3%A9'],
  ];
  for (const [from, to, before, after] of links)
    it(`from ${from} to ${to} turns "${before}" into "${after}"`, () => {
      expect(move(`<p><a href="${before}">x</a>`, from, to)).to.equal(
        `<p><a href="${after}">x</a>`,
      );
    });

  const values: [name: string, before: string, after: string][] = [
    ['unquoted values', '<img src=i.png>', '<img src="../i.png">'],
    [
      'srcset',
      '<img srcset="a.png 1x, /b.png 2x,c.png 300w">',
      '<img srcset="../a.png 1x, /b.png 2x,../c.png 300w">',
    ],
    ['style', `<p style="background:url('i.png')">`, `<p style="background:url('../i.png')">`],
    [
      'style rules with escapes, and nothing that only looks like an address',
      `<style>p{background:u\\72l(i\\.png )}/* url(i.png) */q{content:"url(i.png)";a:image-set('i.png' 1x)}</style>`,
      `<style>p{background:u\\72l(../i.png )}/* url(i.png) */q{content:"url(i.png)";a:image-set('../i.png' 1x)}</style>`,
    ],
    [
      'style rules whose addresses end their element',
      '<style>p{background:url("\\3c/style>\\22 .png")}</style>',
      '<style>p{background:url("../\\3c /style>\\22 .png")}</style>',
    ],
    [
      'an unquoted address that nothing ends',
      '<p style="background:url(i.png ">',
      '<p style="background:url(../i.png )">',
    ],
    [
      'animated addresses',
      '<svg><image><animate attributeName="href" values="i.png; /j.png ;k.png"/></image></svg>',
      '<svg><image><animate attributeName="href" values="../i.png; /j.png ;../k.png"/></image></svg>',
    ],
    ['pings', '<a href="#a" ping="i\n/b">x</a>', '<a href="#a" ping="../i\n/b">x</a>'],
    [
      'refresh',
      '<meta http-equiv="refresh" content="5; url=thanks.html">',
      '<meta http-equiv="refresh" content="5; url=../thanks.html">',
    ],
    [
      'a relative base',
      '<base href="../"><a href="x">y</a>',
      '<base href="../../"><a href="x">y</a>',
    ],
    ['a lazy image that is there', '<img data-src="img/i.png">', '<img data-src="../img/i.png">'],
    ['character references', '<a href="p?a=1&amp;b=2">y</a>', '<a href="../p?a=1&amp;b=2">y</a>'],
    [
      'templates, but no scripts',
      '<script>a = "i.png"</script><template><img src="i.png"></template>',
      '<script>a = "i.png"</script><template><img src="../i.png"></template>',
    ],
  ];
  for (const [name, before, after] of values)
    it(`moves ${name}`, () => {
      expect(move(before, 'b/a.html', 'b/c/d.html', { sitePaths: ['b/img/i.png'] })).to.equal(
        after,
      );
    });

  const own: [from: string, to: string, before: string, after: string][] = [
    [
      'places/austin.html',
      'places/dallas.html',
      'https://x.example/places/austin',
      'https://x.example/places/dallas',
    ],
    [
      'places/austin.html',
      'dallas.html',
      'https://x.example/places/austin.html',
      'https://x.example/dallas.html',
    ],
    [
      'places/austin/index.html',
      'a/b/index.html',
      'https://x.example/places/austin/',
      'https://x.example/a/b/',
    ],
    [
      'places/austin.html',
      'a.html',
      'https://me.example/project/places/austin',
      'https://me.example/project/a',
    ],
    ['places/austin.html', 'b.html', 'austin.html', 'b.html'],
    ['a.html', 'b/index.html', 'https://x.example/a', 'https://x.example/b/'],
  ];
  for (const [from, to, before, after] of own)
    it(`from ${from} to ${to} has canonical and og:url ${after} for ${before}`, () => {
      const page = (url: string) =>
        `<link rel="canonical" href="${url}"><meta property="og:url" content="${url}">`;
      expect(move(page(before), from, to)).to.equal(page(after));
    });

  it('names itself in JSON-LD, and keeps the others', () => {
    const json = (slug: string) =>
      `<script type="application/ld+json">{"@id": "https://x.example/${slug}#shop", "url": "https:\\/\\/x.example\\/a",
       "itemListElement":[{"item":"https://x.example/"},{"item":{"@id":"https://x.example/${slug}/"}}], "image":"/i.png"}</script>`;
    const result = move(
      canonical + json('places/austin'),
      'places/austin.html',
      'places/dallas.html',
    );
    expect(result).to.equal(canonical.replace('austin', 'dallas') + json('places/dallas'));
  });

  it("keeps the site's URL if the template is the home page", () => {
    const page = (url: string) =>
      `<link rel="canonical" href="${url}"><script type="application/ld+json">[{"@type":"Organization","url":"https://x.example/"},{"@type":"WebPage","url":"${url}"}]</script>`;
    expect(move(page('https://x.example/'), 'index.html', 'a.html')).to.equal(
      page('https://x.example/a'),
    );
  });

  it("loses exactly the template's alternates, neighbours and noindex", () => {
    const gone = [
      '<link rel="alternate" hreflang="de" href="https://x.example/de/orte/austin">',
      '<link rel="next" href="boston">',
      '<link rel="prev" href="akron">',
      '<link rel="amphtml" href="https://x.example/amp/austin">',
      '<meta name="robots" content="noindex, follow">',
    ];
    const kept = [
      '<link rel="alternate" hreflang="en" href="https://x.example/places/austin">',
      '<link rel="alternate" hreflang="x-default" href="https://x.example/places/austin">',
      '<link rel="alternate" type="application/rss+xml" href="/feed.xml">',
      '<meta name="robots" content="max-snippet:50">',
    ];
    const head = [canonical, ...kept].join('\n');
    const result = move(
      [canonical, ...kept, ...gone].join('\n'),
      'places/austin.html',
      'places/dallas.html',
    );
    expect(result).to.equal(head.replaceAll('austin', 'dallas'));
  });

  it('keeps the rules that keep most pages of its folder out of search engines', () => {
    const rules = '<meta name="robots" content="noindex, nofollow, noarchive">';
    const [own, plain] = [`${rules}\n<h1>A</h1>`, '<h1>A</h1>'];
    const moveBeside = (...pages: [string, string][]) =>
      move(own, 'ads/austin.html', 'ads/dallas.html', {
        siblings: pages.map(([path, source]) => ({ path, source })),
      });
    expect(moveBeside(['ads/a.html', own], ['ads/b.html', own], ['c.html', plain])).to.equal(own);
    expect(moveBeside(['ads/a.html', own], ['ads/b.html', plain])).not.to.contain('robots');
    expect(moveBeside(['c.html', own])).not.to.contain('robots');
  });

  it('keeps links of the navigation to the template, and updates its own', () => {
    const page = (body: string) =>
      `<nav><ul><li><a href="/places/austin">Austin</a></ul></nav><main>${body}</main>`;
    const siblings = [
      { path: 'a.html', source: page('<p>About us') },
      { path: 'places/boston.html', source: page('<p><a href="/places/boston">Boston</a>') },
    ];
    const result = move(
      page('<p><a href="/places/austin">Austin</a>'),
      'places/austin.html',
      'places/dallas.html',
      {
        siblings,
      },
    );
    expect(result).to.equal(page('<p><a href="/places/dallas">Austin</a>'));
  });

  it('keeps CRLF and a byte order mark', () => {
    const source = '\uFEFF<p>\r\n<a\r\nhref="x">y</a>\r\n';
    expect(move(source, 'a.html', 'b/c.html')).to.equal(source.replace('"x"', '"../x"'));
  });

  it('is rejected if the texts are read differently than when they were written', () => {
    const template = { path: 'a.html', source: '<p>x' };
    const page = {
      template,
      target: fileAt('b.html'),
      texts: {},
      sitePaths: [],
      digest: 'other',
      siblings: [],
    };
    expect(() => pageCalls.create(page))
      .to.throw(DomainError)
      .with.property('code', 'CHANGED_BY_DEPLOY');
  });

  for (const { name, pages, paths } of corpus)
    it(`links to the targets of the template, for every page of ${name} and at every depth`, () => {
      for (const template of pages)
        for (const depth of ['x', 'x/y', 'x/y/z', 'x/y/z/index']) {
          const to = `${depth}.html`;
          const result = move(template.source, template.path, to, {
            sitePaths: paths,
            siblings: pages.filter((page) => page !== template).slice(0, 3),
          });
          const before = addressesIn(template.source, template.path);
          const after = addressesIn(result, to);
          const isOwn = (url: string) => slugIn(url) === asHtml.slugOf(template.path);
          for (const [i, url] of before.entries())
            if (!isOwn(url)) expect(after[i], `${template.path} -> ${to}`).to.equal(url);
          expect(after).to.have.length(before.length);
        }
    });
});

/** Every address of a page in full, read by another way than the code's. */
function addressesIn(source: string, path: string): string[] {
  return [...source.matchAll(/\s(?:href|src|action|poster)="([^"]*)"/g)].map(
    ([, url = '']) => new URL(url, `https://site.example/${path}`).href,
  );
}

const slugIn = (url: string) => asHtml.slugOf(new URL(url).pathname.slice(1).replace(/\/$/, ''));
