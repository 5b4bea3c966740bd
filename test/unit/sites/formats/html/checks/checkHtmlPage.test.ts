import { expect } from 'chai';
import { casesIn } from '../../../../../helpers/cases.ts';
import { readFileSync } from 'node:fs';
import { violationMessage } from '../../../../../../src/sites/checks/violationMessage.ts';
import { violationOfFeature } from '../../../../../../src/sites/checks/foreignFeatures.ts';
import { checkHtmlPage } from '../../../../../../src/sites/formats/html/checks/checkHtmlPage.ts';
import type { PageCheck } from '../../../../../../src/sites/formats/format.ts';
import type { PageViolation } from '../../../../../../src/sites/formats/pageFindings.ts';
import { pageCalls } from '../../../../../../src/sites/pages/pageCalls.ts';
import { escapeMarks } from '../../../../../../src/sites/pages/texts/slotText.ts';
import { corpus, npmSites, type CorpusSite } from '../../../corpus.ts';
import { replaceWords } from '../compare.ts';
import { expectLinear } from '../../../../../helpers/growth.ts';

const page = `<!doctype html>
<html lang="en">
<head>
<title>Web design in Austin</title>
<link rel="canonical" href="https://www.acme.example/locations/austin">
<link rel="stylesheet" href="/site.css?v=2"><link rel="stylesheet" href="https://fonts.example/css">
<style>.hero { background: url('../hero.png') }</style>
<script src="../site.js"></script><script>let sent = 0;</script>
<script type="application/ld+json">{"@id":"https://www.acme.example/locations/austin","name":"Acme Austin"}</script>
</head>
<body>
<nav><a href="../">Home</a> <a href="/about/">About</a> <a href="https://www.acme.example/blog">Blog</a> <a href="#faq">Questions</a></nav>
<h1>Web design in Austin</h1>
<img src="../hero.png" srcset="../hero.png 1x, /big.png 2x" alt="Our studio" onerror="hide(this)">
<p id="faq" style="background:url(../hero.png)">Call <a href="tel:+15125550142">us</a>, or see <a href="https://maps.example/austin">the map</a>.</p>
<p><a href="/missing">Broken of its own</a> <a href="#nothing">So is this</a> <a href="javascript:print()">Print</a></p>
<svg><use href="#faq"></use></svg><template><img src="https://lazy.example/x.png"></template>
<div data-src="../big.png" data-href="no address"></div><noscript><img src="/hero.png"></noscript>
<p>{{ visits }} visitors</p><p id="twice">a</p><p id="twice">b</p><i>&x;
</body>
</html>
`;
const path = 'locations/austin.html';
const sitePaths = [
  path,
  'index.html',
  'about/index.html',
  'blog.html',
  'site.css',
  'site.js',
  'hero.png',
  'big.png',
];

/** Each violation with its line, element, code and values: `12 <a href> broken-link /abuot`. */
const faultsOf = (after: string, changes: Partial<PageCheck> = {}) =>
  checkHtmlPage({
    path,
    before: { path, source: page },
    after,
    sitePaths,
    mayAddLinks: false,
    ...changes,
  }).violations.map(({ line, element, code, values }) =>
    [line, element, code, ...values].join(' '),
  );

/** The page with one stretch written otherwise. */
function put(from: string, to: string): string {
  expect(page.split(from), from).to.have.length(2);
  return page.replace(from, () => to);
}

const caught: Record<string, [from: string, to: string, ...faults: string[]]> = {
  'an element that is not closed': [
    '</h1>',
    '</h1><div>',
    '13 <div> parse-error element-without-end-tag',
  ],
  'a character that no page may hold': [
    'Our studio',
    'Our \u0001studio',
    '14 <img> parse-error control-character-in-input-stream',
  ],
  'an attribute twice': [
    'alt="Our studio"',
    'alt="Our studio" alt="x"',
    '14 <img> parse-error duplicate-attribute',
  ],
  'an id that another element has': ['<h1>', '<h1 id="faq">', '15 <p id> duplicate-id faq 2'],
  'a link to mail with a hidden reader': [
    'href="/about/"',
    'href="mailto:a@b.example?bcc=c@d.example"',
    '12 <a href> hidden-recipients',
  ],
  'words that are turned around': [
    'Our studio',
    'Our &#x202e;studio',
    '14 <img> deceptive-characters',
  ],
  'a link to a page that is not there': [
    'href="/about/"',
    'href="/abuot/"',
    '12 <a href> broken-link /abuot/',
  ],
  'a style sheet that is not there': [
    'href="/site.css?v=2"',
    'href="site.css?key=secret"',
    '6 <link href> broken-link site.css',
  ],
  'an image of style rules that is not there': [
    "url('../hero.png')",
    "url('../../img/hero.png')",
    '7 <style> broken-link ../../img/hero.png',
  ],
  'another base of all addresses': [
    '<title>',
    '<base href="/a/b/"><title>',
    '7 <style> broken-link ../hero.png',
    '8 <script src> broken-link ../site.js',
    '8 <script> new-script',
    '12 <a href> broken-link ../',
    '14 <img src> broken-link ../hero.png',
    '14 <img srcset> broken-link ../hero.png',
    '15 <p style> broken-link ../hero.png',
    '18 <div data-src> broken-link ../big.png',
  ],
  'a link to an element that is gone': [
    '<p id="faq"',
    '<p id="questions"',
    '12 <a href> broken-fragment #faq',
  ],
  'an empty title': [
    '<title>Web design in Austin</title>',
    '<title> </title>',
    '1 <title> lost-text',
  ],
  'a h1 that became a h2': [
    '<h1>Web design in Austin</h1>',
    '<h2>Web design in Austin</h2>',
    '1 <h1> lost-text',
  ],
  'an unfilled field in the title': [
    '<title>Web design in Austin',
    '<title>Web design in {{City}}',
    '4 <title> new-placeholder {{city}}',
  ],
  'structured data with a comma too many': [
    '"name":"Acme Austin"}',
    '"name":"Acme Austin",}',
    '9 <script> invalid-data',
  ],
  'a placeholder in structured data': [
    '"name":"Acme Austin"',
    '"name":"undefined"',
    '9 <script> new-placeholder undefined',
  ],
  'a script from elsewhere': [
    '<script src="../site.js">',
    '<script src="https://fonts.example/x.js">',
    '8 <script> new-script',
  ],
  'an event handler': ['hide(this)', 'alert(1)', '14 <img onerror> new-script'],
  'an address that is a script, however it is written': [
    'href="/about/"',
    'href=" java\nscript&colon;alert(1)"',
    '12 <a href> new-script',
  ],
  'a script in a template': [
    '<template>',
    '<template><script>alert(1)</script>',
    '17 <script> new-script',
  ],
  'a page in an attribute': [
    '<svg>',
    '<iframe srcdoc="&lt;script>alert(1)&lt;/script>"></iframe><svg>',
    '17 <iframe srcdoc> new-script',
  ],
  'what shows without scripts': [
    '<noscript><img src="/hero.png">',
    '<noscript><img src="//evil.example/">',
    '18 <img src> new-request-host //evil.example',
  ],
  'an image from elsewhere': [
    '<img src="../hero.png"',
    '<img src="//evil.example/x.png"',
    '14 <img src> new-request-host //evil.example',
  ],
  'an image from a host that was only linked to': [
    '<img src="../hero.png"',
    '<img src="https://maps.example/x.png"',
    '14 <img src> new-request-host //maps.example',
  ],
  'a document in an address': [
    '<svg>',
    '<iframe src="data:text/html,x"></iframe><svg>',
    '17 <iframe src> new-request-host data:',
  ],
  'a base elsewhere': [
    '<title>',
    '<base href="https://evil.example/locations/"><title>',
    '4 <base href> new-script',
    '4 <base href> new-request-host //evil.example',
  ],
  'a form that sends its fields elsewhere': [
    '<svg>',
    '<form action="https://evil.example/"></form><svg>',
    '17 <form action> new-request-host //evil.example',
  ],
  'an attribute that asks when a link is followed': [
    '<a href="/about/">',
    '<a href="/about/" ping="/blog">',
    '12 <a ping> new-attribute ping',
  ],
  'an element that only newer browsers than our parser make': [
    '<svg>',
    '<select><img src="//evil.example/x.png"></select><svg>',
    '17 <img> parse-error start-tag-without-element',
  ],
  'a link to another host': [
    'https://maps.example/austin',
    'https://evil.example/austin',
    '15 <a href> new-link-host //evil.example',
  ],
};

const allowed: Record<string, [from: string, to: string]> = {
  'other texts': [
    '<h1>Web design in Austin',
    '<h1>Undefined, no lorem ipsum &amp; [more] to do, {so} $9 &lt;1>',
  ],
  'the same link in other words': ['<a href="../">', '<a href="/?from=nav#top">'],
  'a link that goes': ['<a href="/missing">Broken of its own</a>', ''],
  'a script that goes': ['<script>let sent = 0;</script>', ''],
  'an image in its own address': [
    '<img src="../hero.png"',
    '<img src="data:image/gif;base64,R0lGOD"',
  ],
  'a placeholder that the page had, elsewhere': ['Our studio', 'Our {{ visits }} studios'],
  'a copy of a block with a parse error': [
    '<p>{{ visits }}',
    '<i>&x;<p>x</p><i>&x;<p>{{ visits }}',
  ],
};

describe('checkHtmlPage', () => {
  it('finds nothing in a page that did not change, whatever its own violations', () => {
    expect(faultsOf(page)).to.deep.equal([]);
    expect(faultsOf(page, { before: null })).to.have.length.above(3);
  });

  for (const [fault, [from, to, ...expected]] of Object.entries(caught))
    it(`catches ${fault}`, () => expect(faultsOf(put(from, to))).to.deep.equal(expected));

  for (const [change, [from, to]] of Object.entries(allowed))
    it(`allows ${change}`, () => expect(faultsOf(put(from, to))).to.deep.equal([]));

  it('lets links that were set on purpose lead to any host of the web, and to nothing else', () => {
    const at = (url: string) =>
      faultsOf(put('https://maps.example/austin', url), { mayAddLinks: true });
    expect(at('https://new.example/')).to.deep.equal([]);
    expect(at('mailto:a@new.example')).to.deep.equal([]);
    expect(at('data:text/html,x')).to.deep.equal(['15 <a href> new-link-scheme data:']);
    expect(
      faultsOf(put('<img src="../hero.png"', '<img src="//new.example/"'), { mayAddLinks: true }),
    ).to.have.length(1);
  });

  it('leaves a link to a page that the same task deletes to a warning, except on a new page and as a new link', () => {
    const deleted = {
      sitePaths: sitePaths.filter((name) => name !== 'blog.html'),
      deleted: ['blog.html'],
    };
    const fault = (url: string) => `12 <a href> deleted-target ${url}`;
    expect(faultsOf(page, deleted)).to.deep.equal([]);
    expect(faultsOf(page, { ...deleted, path: 'locations/graz.html' })).to.deep.equal([
      fault('https://www.acme.example/blog'),
    ]);
    expect(faultsOf(put('href="/about/"', 'href="/blog"'), deleted)).to.deep.equal([
      fault('/blog'),
    ]);
    const withoutHero = sitePaths.filter((name) => name !== 'hero.png');
    expect(faultsOf(page, { sitePaths: withoutHero, deleted: ['hero.png'] })).to.have.length(5);
  });

  it('resolves URLs as the embedded host does', () => {
    const at = (url: string) => faultsOf(put('href="/about/"', `href="${url}"`)).length;
    for (const url of [
      '/about',
      '/about/',
      '/about/index.html',
      '/blog/',
      '/blog.html',
      '/%62log',
      '.././blog',
      '?q',
    ])
      expect(at(url), url).to.equal(0);
    for (const url of [
      '/about.html',
      '/Blog',
      '/blog.htm',
      '/about/blog',
      '/about%2findex.html',
      '/a%00',
      '../x/',
    ])
      expect(at(url), url).to.equal(1);
  });

  it('reads a page at another path as what it was created from', () => {
    const { digest } = pageCalls.readTemplate({ path, source: page }, []);
    const target = { slug: '/graz', path: 'graz.html' };
    const made = pageCalls.create({
      template: { path, source: page },
      target,
      texts: {},
      sitePaths,
      digest,
      siblings: [],
    });
    const at = (path: string) => ({ path, sitePaths: [...sitePaths, path] });
    expect(faultsOf(made, at(target.path))).to.deep.equal([]);
    expect(faultsOf(page, at('de/at/graz.html'))).to.include(
      '15 <p style> broken-link ../hero.png',
    );
  });

  it('keeps possible secrets and invisible characters out of its messages', () => {
    const { violations } = checkHtmlPage({
      path,
      before: { path, source: page },
      after: put(
        'href="/about/"',
        'href="https://www.acme.example/no\u202e\u0007?token=secret#secret"',
      ),
      sitePaths,
      mayAddLinks: false,
    });
    expect(violations.map(violationMessage).join())
      .to.include('no"')
      .and.not.match(/pw|secret|\u202e/);
  });

  it('rejects a page that is too large or too deep', () => {
    expect(() => faultsOf('x'.repeat(2_000_001))).to.throw('2000001 bytes');
    expect(() => faultsOf('<b>'.repeat(501))).to.throw(/\b500 levels\b/);
  });

  it('reads hostile pages in time that grows with their size only', function () {
    this.timeout(180_000);
    const rows = [',', ' ', '(', '%', '../', '\\', 'url(', '@import '];
    const hostile: [
      texts: string[],
      times: (text: string) => number,
      body: (row: string) => string,
    ][] = [
      [rows, ({ length }) => 10_000 / length, (row) => `<img srcset="a ${row}(">`],
      [rows, ({ length }) => 10_000 / length, (row) => `<style>${row}</style>`],
      [rows, ({ length }) => 10_000 / length, (row) => `<a href="${row}x">`],
      [rows, ({ length }) => 10_000 / length, (row) => `<p style="url(${row}">`],
      [
        ['{{', '[your ', '</x>', '<br id=a>', '<a href=/x>', '\0', ' in', '| '],
        () => 1_500,
        (row) => row,
      ],
      [['<a "', "<a '", '<a<a', '<a>'], () => 1_000, (row) => `<select>${row}`],
      [['/ ', '/;', '/"'], () => 2_500, (row) => `<p data-x='${row}'>`],
      [
        ['"a\n', '[(', '\\\n', '"\\\n', '/*', '@namespace '],
        () => 1_500,
        (row) => `<style>(${row}</style>`,
      ],
      [[' '], () => 10_000, (row) => `<meta http-equiv=refresh content="1${row}">`],
    ];
    for (const [texts, times, body] of hostile)
      for (const text of casesIn(texts)) {
        const faults = (count: number) =>
          faultsOf(page.replace('</body>', () => body(text.repeat(count))));
        expectLinear(times(text), faults, body(text));
      }
  });
});

describe('docs/checks.md', () => {
  const rows = readFileSync(
    new URL('../../../../../../docs/checks.md', import.meta.url),
    'utf8',
  ).matchAll(/^\| [^|]+ \| `(.+)` \|$/gm);
  const shown = [...rows].map(([, message]) => message);
  const messageOf = (violation: PageViolation) =>
    `/locations/austin, ${violationMessage(violation)}`;
  const messages = Object.values(caught).flatMap(([from, to]) =>
    checkHtmlPage({
      path,
      before: { path, source: page },
      after: put(from, to),
      sitePaths,
      mayAddLinks: false,
    }).violations.map(messageOf),
  );

  it('shows for each check a message that the page of these tests gets', () => {
    const after = put('<h1>', '<h1 class="team-grid">');
    const { gains } = checkHtmlPage({
      path,
      before: { path, source: page },
      after,
      sitePaths,
      mayAddLinks: false,
    });
    expect(shown).to.have.length(12);
    expect([
      ...messages,
      ...gains.map((gain) => messageOf(violationOfFeature(gain))),
    ]).to.include.members(shown);
  });
});

describe('checkHtmlPage on third-party pages', () => {
  const demo = corpus[0]!;
  const check = (
    { paths }: CorpusSite,
    before: (typeof demo.pages)[0],
    after: string,
    target = before.path,
  ) =>
    checkHtmlPage({
      path: target,
      before,
      after,
      sitePaths: [...paths, target],
      mayAddLinks: false,
    }).violations;

  it('passes seventeen pages of npm unchanged, although they have violations', () => {
    const pages = npmSites.flatMap((site) => site.pages.map((page) => ({ site, page })));
    expect(pages).to.have.length(17);
    for (const { site, page } of pages)
      expect(check(site, page, page.source), page.path).to.deep.equal([]);
    const faulty = pages.filter(
      ({ site: { paths }, page }) =>
        checkHtmlPage({
          path: page.path,
          before: null,
          after: page.source,
          sitePaths: paths,
          mayAddLinks: false,
        }).violations.length,
    );
    expect(faulty).to.have.length.above(10);
  });

  for (const site of [demo, ...npmSites])
    it(`passes new pages created from every page of ${site.name}, at three kinds of paths`, function () {
      this.timeout(180_000);
      for (const template of casesIn(site.pages)) {
        const siblings = site.pages.filter((page) => page !== template).slice(0, 12);
        const { slots, digest } = pageCalls.readTemplate(template, siblings);
        const words = escapeMarks('A "><img src=x onerror=alert(1)></title></script> & é');
        const open = slots.filter(({ locked }) => !locked);
        const texts = Object.fromEntries(
          open.map(({ id, text }) => [id, replaceWords(text, words)]),
        );
        for (const path of ['new.html', 'new/deep/page.html', 'new/index.html']) {
          const target = { path, slug: `/${path.replace(/(\/index)?\.html$/, '')}` };
          const made = pageCalls.create({
            template,
            target,
            texts,
            sitePaths: site.paths,
            digest,
            siblings,
          });
          expect(check(site, template, made, path), `${template.path} as ${path}`).to.deep.equal(
            [],
          );
        }
      }
    });

  for (const site of [demo, ...npmSites])
    it(`passes pages of ${site.name} with more repeated blocks`, function () {
      this.timeout(180_000);
      for (const template of casesIn(site.pages)) {
        const { digest, groups } = pageCalls.readTemplate(template, []);
        const counts = Object.fromEntries(
          groups.map(({ id, members }) => [id, Math.max(4, members.length)]),
        );
        const target = { slug: '/new/page', path: 'new/page.html' };
        const shared = { template, target, sitePaths: site.paths, digest, siblings: [] };
        const made = pageCalls.create({ ...shared, texts: {}, groups: counts });
        expect(check(site, template, made, target.path), template.path).to.deep.equal([]);
      }
    });

  it('catches a removed block that links still lead to', () => {
    const site = npmSites.find(({ name }) => name.endsWith('agency'))!;
    const [template] = site.pages as [(typeof site.pages)[0]];
    const after = template.source.replace(
      /<!-- Portfolio item 6 modal popup-->[\s\S]*(?=<!-- Bootstrap core JS-->)/,
      '',
    );
    expect(after).to.have.length.below(template.source.length);
    expect(
      check(site, template, after).map(({ line: _, ...violation }) => violation),
    ).to.deep.equal([
      { element: '<a href>', code: 'broken-fragment', values: ['#portfolioModal6'] },
    ]);
  });

  it('lets links lead nowhere into a block that was removed on purpose, and into no other', () => {
    const template = {
      path: 'a.html',
      source:
        '<!doctype html><title>T</title><h1>T</h1><p><a href="#b">b</a> <a href="#c">c</a></p><section id="b"><h2 id="c">B</h2></section><div id="d"></div>',
    };
    const { blocks } = pageCalls.readTemplate(template, []);
    const section = blocks.find(({ linked }) => linked.some(({ id }) => id === 'b'))!.id;
    const after = template.source.replace(/<section.*<\/section>/, '');
    const problems = (after: string, removed: string[]) =>
      checkHtmlPage({
        path: 'b.html',
        before: template,
        after,
        sitePaths: ['a.html', 'b.html'],
        removed,
        mayAddLinks: false,
      })
        .violations.map(({ code, values }) => [code, ...values].join(' '))
        .sort();
    expect(problems(after, [section])).to.deep.equal([]);
    const broken = ['broken-fragment #b', 'broken-fragment #c'];
    expect(problems(after, [])).to.deep.equal(broken);
    expect(problems(after, [blocks[0]!.id])).to.deep.equal(broken);
    expect(problems(after.replace('#c', '#x'), [section])).to.deep.equal(['broken-fragment #x']);
    expect(problems(after.replace('<h1>T</h1>', ''), [section])).to.deep.equal(['lost-text']);
  });

  it('catches a copy that was not placed correctly', () => {
    const missed = [demo, ...npmSites].flatMap((site) =>
      site.pages.filter((page) => check(site, page, page.source, 'a/b/c/d.html').length === 0),
    );
    // all its addresses begin at the root
    expect(missed.map(({ path }) => path)).to.deep.equal(['404.html']);
  });
});
