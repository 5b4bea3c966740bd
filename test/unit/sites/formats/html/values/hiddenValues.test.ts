import { expect } from 'chai';
import fc from 'fast-check';
import { makePage } from '../../../../agents/rules/page/makePage.ts';
import { staleValueNotes } from '../../../../../../src/sites/formats/html/values/staleValues.ts';
import { pageCalls } from '../../../../../../src/sites/pages/pageCalls.ts';

const place = { slug: '/towns/bergen', path: 'towns/bergen.html' };
const sitePaths = [
  'img/boat.png',
  'img/map.png',
  'js/tides.js',
  'css/pier.css',
  'towns/tides.json',
];
const context = [
  'City: Tromsø',
  'Headline: Boat rental in Tromsø',
  'Title: Boat rental in Tromsø',
  'Phone: +47 22 00 00 00',
].join('\n');

/** A page about Bergen with some content, and what scripts and old browsers read in its head. */
const pageWith = (content: string, head = '') => `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Boat rental in Bergen</title>
<link rel="canonical" href="https://fjordboats.example/towns/bergen">${head}</head>
<body><main><h1>Boat rental in Bergen</h1><p>Our boats wait for you in Bergen all summer.</p>
<p>Call us: +47 55 00 00 00</p>
${content}
</main></body></html>`;

/** The page about Tromsø that is made of it: the content, and the notes on what stayed. */
function made(content: string, { slug = '/towns/tromso', head = '' } = {}) {
  const template = { path: place.path, source: pageWith(content, head) };
  const { html, faults, beside } = makePage(template, { context, slug, sitePaths });
  expect(faults).to.deep.equal([]);
  const lines = html.split('\n');
  return { content: lines.slice(5, -1).join('\n'), head: lines[2]!, beside };
}

const deep = { slug: '/en/towns/tromso' };

const base64 = (text: string) => Buffer.from(text).toString('base64');
/** A mailbox as Cloudflare writes it: a key, and each byte changed by it. */
const hiddenMailbox = (mailbox: string) =>
  Buffer.from([0, ...Buffer.from(mailbox)].map((byte) => byte ^ 0x5a)).toString('hex');

/** What stayed, by the note on it. */
const kept = (values: string) => `${staleValueNotes.old}: ${values}`;
const misled = (values: string) => `${staleValueNotes.misled}: ${values}`;

describe('values that scripts and forms use', () => {
  const following: [name: string, before: string, after: string][] = [
    [
      'data for hydration',
      '<script id="__NEXT_DATA__" type="application/json">{"props":{"town":"Bergen","title":"Boat rental in Bergen","tel":"+47 55 00 00 00"}}</script>',
      '<script id="__NEXT_DATA__" type="application/json">{"props":{"town":"Tromsø","title":"Boat rental in Tromsø","tel":"+47 22 00 00 00"}}</script>',
    ],
    [
      'properties of an island, in their own notation',
      '<boat-island props="{&#34;town&#34;:[0,&#34;Bergen&#34;], &quot;a&quot;: 1}"></boat-island>',
      '<boat-island props="{&#34;town&#34;:[0,&#34;Tromsø&#34;], &quot;a&quot;: 1}"></boat-island>',
    ],
    [
      'JSON in a string of JSON',
      `<div data-state='{"page":"{\\"town\\":\\"Bergen\\"}"}'></div>`,
      `<div data-state='{"page":"{\\"town\\":\\"Tromsø\\"}"}'></div>`,
    ],
    [
      'fields of a form',
      '<form><input type="hidden" name="town" value=Bergen><textarea name="m">Bergen</textarea></form>',
      '<form><input type="hidden" name="town" value="Tromsø"><textarea name="m">Tromsø</textarea></form>',
    ],
    [
      'queries of addresses',
      '<a href="mailto:?subject=Boat%20rental%20in%20Bergen&amp;body=x">Mail</a>',
      '<a href="mailto:?subject=Boat%20rental%20in%20Troms%C3%B8&amp;body=x">Mail</a>',
    ],
  ];
  for (const [name, before, after] of following)
    it(`follow the texts that they repeat: ${name}`, () => {
      expect(made(before)).to.deep.include({ content: after, beside: [] });
    });

  const staying: [name: string, content: string, values: string][] = [
    [
      'sentences and mailboxes in fields',
      '<form><input type="hidden" name="s" value="A guest of Bergen"><input name="to" value="bergen@fjordboats.example"><textarea>See you in Bergen</textarea></form>',
      '"A guest of Bergen", "bergen@fjordboats.example", "See you in Bergen"',
    ],
    [
      'strings in scripts, with the address of the page',
      '<script>dataLayer.push({page:"/towns/bergen",town:"Bergen",tel:"4755000000"})</script>',
      '"/towns/bergen", "Bergen", "4755000000"',
    ],
    ['expressions', `<div x-data="{ town: 'Bergen' }"></div>`, `"{ town: 'Bergen' }"`],
    ['lists', `<div data-towns='["Bergen","Oslo"]'></div>`, '"Bergen"'],
    ['templates', '<template><p>Rent in Bergen</p></template>', '"Rent in Bergen"'],
    ['style rules', '<style>p::after{content:"in Bergen"}</style>', '"in Bergen"'],
    ['style attributes', `<p style="--town: 'Bergen'">x</p>`, '"Bergen"'],
    [
      'escapes in scripts',
      '<script>shop({town:"\\u0042ergen",title:"In \\x42ergen \\u{1F6B2}"})</script>',
      '"Bergen", "In Bergen 🚲"',
    ],
    [
      'base64',
      `<div data-state="${base64('{"town":"Bergen","tel":"+47 55 00 00 00"}')}"></div>`,
      '"Bergen", "+47 55 00 00 00"',
    ],
    [
      'a mailbox that is hidden from robots',
      `<a href="/cdn-cgi/l/email-protection#${hiddenMailbox('bergen@fjordboats.example')}">Mail</a>`,
      '"bergen@fjordboats.example"',
    ],
    [
      'data and code in addresses',
      `<a href="data:text/vcard,FN%3AShop%0AADR%3ABergen">Card</a><a href="data:text/plain;base64,${base64('Rent in Bergen')}">Text</a>`,
      '"ADR:Bergen", "Rent in Bergen"',
    ],
    [
      'comments that a server or a generator reads',
      '<!-- wp:shop {"town":"Bergen"} --><!--#include virtual="/parts/bergen.html" --><!-- In Bergen -->',
      '"Bergen", "/parts/bergen.html"',
    ],
    [
      'addresses of other sites',
      '<form action="https://forms.example/send?town=bergen"><textarea>In Bergen</textarea></form>',
      '"bergen", "In Bergen"',
    ],
  ];
  for (const [name, content, values] of staying)
    it(`are noted if they cannot follow: ${name}`, () => {
      expect(made(content)).to.deep.include({ content, beside: [kept(values)] });
    });

  it('stay in the addresses of code and frames, which may not change', () => {
    const content =
      '<iframe src="https://maps.example/embed?q=Bergen"></iframe><script src="https://x.example/a.js?town=Bergen"></script><form action="https://forms.example/send?town=Bergen"></form>';
    expect(made(content)).to.deep.include({ content, beside: [kept('"Bergen"')] });
  });

  it("stay without a note if they only have the site's name, which was in the title", () => {
    const content =
      '<footer><a href="https://social.example/fjordboats">Fjordboats</a></footer><a href="https://shop.example/boats">Shop</a>';
    const source = pageWith(content).replace('</title>', ' | Fjordboats</title>');
    const { beside } = makePage({ path: place.path, source }, { context, slug: '/towns/tromso' });
    expect(beside).to.deep.equal([]);
  });

  it('stay without a note if their own text stays, or if they are no texts', () => {
    const content =
      '<div id="bergen" class="bergen" data-tab="#bergen" data-photo="bergen.jpg" data-go="/towns/oslo"></div>';
    expect(made(content)).to.deep.include({ content, beside: [] });
    const source = pageWith('<select><option value="Oslo">Oslo</option></select>');
    const after = pageCalls.setTexts({ path: place.path, source }, {});
    expect(after).to.equal(source);
  });

  it('follow the text beside them in the members of a list', () => {
    const people = (names: string[]) =>
      names.map((name) => `<li data-name="${name}"><b>${name}</b></li>`).join('');
    const source = pageWith(`<ul>${people(['Ann Lee', 'Bob Ray', 'Ann Lee'])}</ul>`);
    const { slots } = pageCalls.read({ path: place.path, source });
    const ids = slots.filter(({ text }) => text === 'Ann Lee').map(({ id }) => id);
    const texts = { [ids[0]!]: 'Eva Dahl', [ids[1]!]: 'Ivar Moe' };
    expect(pageCalls.setTexts({ path: place.path, source }, texts)).to.include(
      people(['Eva Dahl', 'Bob Ray', 'Ivar Moe']),
    );
  });

  it('stay in a list of towns whose texts stay', () => {
    const list = (town: string) =>
      `<nav><a href="/towns/bergen" data-town="Bergen" data-go="/towns/bergen">Bergen</a><select><option value="/towns/bergen">Bergen</option><option value="/towns/oslo">Oslo</option></select></nav><p data-town="${town}">x</p>`;
    const sibling = { path: 'towns/oslo.html', source: pageWith(list('Oslo')) };
    const template = { path: place.path, source: pageWith(list('Bergen')) };
    const { html, beside } = makePage(template, {
      context,
      slug: '/towns/tromso',
      sitePaths,
      siblings: [sibling],
    });
    expect(html).to.include(list('Tromsø'));
    expect(beside).to.deep.equal([]);
  });

  it('follow an edit of the page, and are noted', () => {
    const source = pageWith(
      '<input value="+47 55 00 00 00"><script>tel("+47 55 00 00 00")</script>',
    );
    const { slots } = pageCalls.read({ path: place.path, source });
    const slot = slots.find(({ text }) => text.startsWith('Call us'))!;
    const after = pageCalls.setTexts(
      { path: place.path, source },
      { [slot.id]: 'Call us: +47 33 00 00 00' },
    );
    expect(after).to.include('<input value="+47 33 00 00 00"><script>tel("+47 55 00 00 00")');
    const { staleDetails: beside, setup } = pageCalls.sideEffects(
      { path: place.path, source: after },
      source,
    );
    expect(beside.map(({ noteText }) => noteText)).to.deep.equal([kept('"+47 55 00 00 00"')]);
    expect(setup.removed).to.deep.equal([]);
  });

  it("may not bring code into a script's data", () => {
    const script = (title: string) => `<script type="application/json">{"t":"${title}"}</script>`;
    const check = (after: string) =>
      pageCalls
        .check({
          path: place.path,
          before: { path: place.path, source: pageWith(script('Bergen')) },
          after: pageWith(after),
          sitePaths: [place.path],
          mayAddLinks: false,
        })
        .violations.map(({ code }) => code);
    expect(check(script('Oslo: a town'))).to.deep.equal([]);
    expect(check(script('<img onerror=x()>'))).to.deep.equal(['new-script']);
    expect(check(script('javascript:x()'))).to.deep.equal(['new-script']);
    expect(check(script('Bergen","u":"x'))).to.deep.equal(['new-script']);
  });
});

describe("the page's own address in any spelling", () => {
  const spellings: [name: string, before: string, after: string][] = [
    [
      'links to share it',
      '<a href="https://social.example/share?u=https%3A%2F%2Ffjordboats.example%2Ftowns%2Fbergen&amp;x=1">a</a><a href="https://archive.example/save/https://www.fjordboats.example/towns/bergen/">b</a>',
      '<a href="https://social.example/share?u=https%3A%2F%2Ffjordboats.example%2Fen%2Ftowns%2Ftromso&amp;x=1">a</a><a href="https://archive.example/save/https://www.fjordboats.example/en/towns/tromso/">b</a>',
    ],
    [
      'twice encoded, and as a path',
      '<a href="https://x.example/?n=%2Fshare%3Fu%3Dhttps%253A%252F%252Ffjordboats.example%252Ftowns%252Fbergen&amp;p=%2Ftowns%2Fbergen">a</a>',
      '<a href="https://x.example/?n=%2Fshare%3Fu%3Dhttps%253A%252F%252Ffjordboats.example%252Fen%252Ftowns%252Ftromso&amp;p=%2Fen%2Ftowns%2Ftromso">a</a>',
    ],
    [
      'attributes and fields',
      '<button data-clipboard-text="www.fjordboats.example/towns/bergen">Copy</button><input name="_next" value="https://fjordboats.example/towns/bergen?sent=1">',
      '<button data-clipboard-text="www.fjordboats.example/en/towns/tromso">Copy</button><input name="_next" value="https://fjordboats.example/en/towns/tromso?sent=1">',
    ],
    [
      'JSON with its own slashes',
      '<script type="application/json">{"u":"https:\\/\\/fjordboats.example\\/towns\\/bergen#a"}</script>',
      '<script type="application/json">{"u":"https:\\/\\/fjordboats.example\\/en\\/towns\\/tromso#a"}</script>',
    ],
    [
      'texts',
      '<p>Share <code>https://fjordboats.example/towns/bergen</code>, or fjordboats.example/towns/bergen.</p>',
      '<p>Share <code>https://fjordboats.example/en/towns/tromso</code>, or fjordboats.example/en/towns/tromso.</p>',
    ],
    [
      'links with and without www',
      '<a href="https://www.fjordboats.example/towns/bergen#a">Prices</a><p id="a">1</p>',
      '<a href="https://www.fjordboats.example/en/towns/tromso#a">Prices</a><p id="a">1</p>',
    ],
    [
      'other pages and hosts, which stay',
      '<a data-u="https://fjordboats.example/towns/bergen-east">a</a><a data-u="https://old-fjordboats.example/towns/bergen">b</a><a data-u="me@fjordboats.example">c</a>',
      '<a data-u="https://fjordboats.example/towns/bergen-east">a</a><a data-u="https://old-fjordboats.example/towns/bergen">b</a><a data-u="me@fjordboats.example">c</a>',
    ],
  ];
  for (const [name, before, after] of spellings) {
    it(`is that of the new page: ${name}`, () => {
      expect(made(before, deep).content).to.equal(after);
    });
    it(`follows a move, also on other pages: ${name}`, () => {
      const to = { slug: '/en/towns/tromso', path: 'en/towns/tromso.html' };
      const source = pageWith(before);
      const move = { from: place, to, sitePaths };
      expect(pageCalls.move({ path: place.path, source }, move)).to.include(after);
      const other = source.replace('/towns/bergen">', '/towns/oslo">');
      expect(pageCalls.move({ path: 'towns/oslo.html', source: other }, move)).to.include(after);
    });
  }

  it('is that of the new page in its head', () => {
    const head = (slug: string) =>
      `<link rel="alternate" hreflang="x-default" href="https://www.fjordboats.example${slug}"><script type="application/ld+json">{"@type":"WebPage","@id":"https://www.fjordboats.example${slug}#page"}</script>`;
    const { head: line } = made('', { head: head('/towns/bergen') });
    expect(line).to.include(head('/towns/tromso'));
  });
});

describe('addresses beside the usual ones', () => {
  const followed: [name: string, before: string, after: string][] = [
    [
      'shadow roots, whose texts are texts',
      '<boat-card><template shadowrootmode="open"><link rel="stylesheet" href="../css/pier.css"><h2>Bergen</h2><p>Call our Bergen pier: +47 55 00 00 00</p><img src="../img/boat.png" alt="A boat in Bergen"></template></boat-card>',
      '<boat-card><template shadowrootmode="open"><link rel="stylesheet" href="../../css/pier.css"><h2>Tromsø</h2><p>Call our Tromsø pier: +47 22 00 00 00</p><img src="../../img/boat.png" alt="A boat in Tromsø"></template></boat-card>',
    ],
    [
      'templates',
      '<template><img src="../img/boat.png" alt=""><template><a href="oslo.html"></a></template></template>',
      '<template><img src="../../img/boat.png" alt=""><template><a href="../../towns/oslo.html"></a></template></template>',
    ],
    [
      'what browsers show without scripts',
      '<p>Boats<noscript><img src="../img/boat.png" alt="A boat in Bergen"><p>In Bergen</p></noscript></p>',
      '<p>Boats<noscript><img src="../../img/boat.png" alt="A boat in Tromsø"><p>In Tromsø</p></noscript></p>',
    ],
    [
      'conditional comments',
      '<!--[if lt IE 9]>\r\n<script src="../js/tides.js"></script><![endif]--><!-- ../js/tides.js -->',
      '<!--[if lt IE 9]>\r\n<script src="../../js/tides.js"></script><![endif]--><!-- ../js/tides.js -->',
    ],
    [
      'attributes that scripts read',
      '<img data-original="../img/boat.png" data-lazy-srcset="../img/boat.png 1x, ../img/map.png 2x"><a data-mfp-src="../img/map.png" data-x="tides.json">Zoom</a><boat-map src="tides.json"></boat-map><p hx-get="../parts/tides" hx-vals=\'{"map":"../img/map.png"}\'></p>',
      '<img data-original="../../img/boat.png" data-lazy-srcset="../../img/boat.png 1x, ../../img/map.png 2x"><a data-mfp-src="../../img/map.png" data-x="../../towns/tides.json">Zoom</a><boat-map src="../../towns/tides.json"></boat-map><p hx-get="../../parts/tides" hx-vals=\'{"map":"../../img/map.png"}\'></p>',
    ],
    [
      'import maps',
      '<script type="importmap">{"imports":{"tides":"../js/tides.js","lit":"https://cdn.example/lit.js"}}</script>',
      '<script type="importmap">{"imports":{"tides":"../../js/tides.js","lit":"https://cdn.example/lit.js"}}</script>',
    ],
  ];
  for (const [name, before, after] of followed)
    it(`lead where they led: ${name}`, () => {
      expect(made(before, deep)).to.deep.include({ content: after, beside: [] });
    });

  it('are noted in scripts', () => {
    const content =
      '<script type="module">import "../js/tides.js"; fetch("tides.json"); go("a.b", "../" + x)</script><button onclick="open(\'../img/map.png\')">x</button>';
    const { beside, content: after } = made(content, deep);
    expect(after).to.equal(content);
    expect(beside).to.deep.equal([
      misled('"../js/tides.js", "tides.json", "../", "../img/map.png"'),
    ]);
    expect(made(content).beside).to.deep.equal([]);
  });
});

const word = fc.stringMatching(/^[a-z]{2,8}$/);
const attribute = fc.oneof(
  fc.constantFrom(
    'value',
    'content',
    'label',
    'summary',
    'alt',
    'aria-description',
    'default',
    ':to',
  ),
  fc.tuple(fc.constantFrom('data', 'x', 'hx', 'ng', 'v'), word).map((parts) => parts.join('-')),
);
const inAttribute = (name: string) => (value: string) => `<b ${name}="${value}">x</b>`;
const json = (value: string) => JSON.stringify({ a: { b: [1, value] } });
/** Where a page may have a value. */
const position = fc.oneof(
  attribute.map(inAttribute),
  fc.constantFrom<(value: string) => string>(
    (value) => `<b data-a='${json(value)}'>x</b>`,
    (value) => `<script type="application/json">${json(value)}</script>`,
    (value) => `<script type="application/vnd.x+json">${json(value)}</script>`,
    (value) => `<script>f(${json(value)})</script>`,
    (value) => `<script type="text/template"><i a="${value}"></i></script>`,
    (value) => `<b onclick="f('${value}')">x</b>`,
    (value) => `<iframe srcdoc="<i a='${value}'>x</i>"></iframe>`,
    (value) => `<template><i data-a="${value}"></i></template>`,
    (value) => `<u-x><template shadowrootmode="open"><i data-a="${value}"></i></template></u-x>`,
    (value) => `<noscript><i data-a="${value}"></i></noscript>`,
    (value) => `<!--[if IE]><i data-a="${value}"></i><![endif]-->`,
    (value) => `<b x-data="{ a: '${value}' }">x</b>`,
  ),
);

describe('a value anywhere in a page', () => {
  it('changes with the text that it equals, or is noted', () => {
    const texts = fc.constantFrom(
      ['Bergen', 'Tromsø'],
      ['Boat rental in Bergen', 'Boat rental in Tromsø'],
      ['+47 55 00 00 00', '+47 22 00 00 00'],
    );
    fc.assert(
      fc.property(position, texts, (at, [old, now]) => {
        const { content, beside } = made(at(old));
        if (content === at(old)) expect(beside.join()).to.include(old);
        else expect([content, beside]).to.deep.equal([at(now), []]);
      }),
    );
  });

  it('leads where it led if it is an address, or is noted', () => {
    const addresses = fc.constantFrom(
      ['../img/boat.png', '../../img/boat.png'],
      ['tides.json', '../../towns/tides.json'],
      ['./tides.json?v=1', '../../towns/tides.json?v=1'],
    );
    fc.assert(
      fc.property(position, addresses, (at, [old, now]) => {
        const { content, beside } = made(at(old), deep);
        if (content === at(old)) expect(beside.join()).to.include(old);
        else expect([content, beside]).to.deep.equal([at(now), []]);
      }),
    );
  });

  it("is the new page's address if it was the old one's, or is noted", () => {
    const spelling = fc.constantFrom<(slug: string) => string>(
      (slug) => `https://fjordboats.example${slug}`,
      (slug) => `http://www.fjordboats.example${slug}/#a`,
      (slug) => `//fjordboats.example${slug}.html?a=1`,
      (slug) => encodeURIComponent(`https://fjordboats.example${slug}`),
      (slug) =>
        `https://x.example/share?u=${encodeURIComponent(`https://fjordboats.example${slug}`)}`,
    );
    fc.assert(
      fc.property(position, spelling, (at, spell) => {
        const [old, now] = ['/towns/bergen', '/en/towns/tromso'].map(spell);
        const { content, beside } = made(at(old!), deep);
        if (content === at(old!)) expect(beside.join()).to.include(old!.slice(0, 50));
        else expect([content, beside]).to.deep.equal([at(now!), []]);
      }),
    );
  });
});
