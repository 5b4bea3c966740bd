import { expect } from 'chai';
import { checkHtmlPage } from '../../../../../../src/sites/formats/html/checks/checkHtmlPage.ts';
import { hostAt, harmless, markupFor, pageWith, vectors } from './newHosts.ts';

const path = 'index.html';
const sitePaths = [path, 'i.png', 'x'];

/** The element, code and values of each violation of a save in the editor. */
const problems = (before: string, after: string) =>
  checkHtmlPage({
    path,
    before: { path, source: before },
    after,
    sitePaths,
    mayAddLinks: true,
  }).violations.map(({ element, code, values }) => [element, code, ...values].join(' '));

/** Whether one of the reasons is that the page asks, or runs, what it did not. */
const isRefused = (reasons: string[]) =>
  reasons.some((reason) =>
    / (?:new-request-host|new-script|new-attribute) | new-link-scheme data:|start-tag-without/.test(
      `${reason} `,
    ),
  );

describe('a page that would request a new host', () => {
  const cases = vectors.map(({ name, markup }, i) => ({ name, markup, host: hostAt(i) }));

  it('is tried in more than 120 ways', () => expect(cases).to.have.length.above(120));

  it('is rejected if its markup is new', () => {
    const passed = cases.filter(
      ({ markup, host }) => !isRefused(problems(pageWith(''), pageWith(markupFor(markup, host)))),
    );
    expect(passed.map(({ name }) => name)).to.deep.equal([]);
  });

  it('is rejected if only the host is new, and every attribute existed', () => {
    const passed = cases.filter(({ markup, host }) => {
      const before = pageWith(markupFor(markup, 'known.example'));
      expect(problems(before, before)).to.deep.equal([]);
      return !isRefused(problems(before, pageWith(markupFor(markup, host))));
    });
    expect(passed.map(({ name }) => name)).to.deep.equal([]);
  });

  it('is rejected if the host was only named before', () => {
    const image = pageWith('<img src="//named.example/x.png" alt="">');
    for (const markup of [
      '<a href="//named.example/">x</a>',
      '<p data-share="https://named.example/">x</p>',
      '<style>.a{content:"https://named.example/"}</style>',
      '<blockquote cite="https://named.example/">x</blockquote>',
    ])
      expect(problems(pageWith(markup), image), markup).to.deep.equal([
        '<img src> new-request-host //named.example',
      ]);
  });

  for (const [name, markup] of harmless)
    it(`passes with ${name} that only names the host`, () =>
      expect(problems(pageWith(''), pageWith(markupFor(markup, 'v.evil.example')))).to.deep.equal(
        [],
      ));
});

describe('a page that would run a new script from a host that it already requests', () => {
  const known =
    '<script src="x"></script><script src="//cdn.example/a.js"></script><script language="none">run()</script>';
  const scripts: Record<string, string> = {
    'from a base': `<base href="//cdn.example/evil/">${known}`,
    'of an SVG that has the address of another': `${known}<svg><script src="x" href="//cdn.example/b.js"></script></svg>`,
    'by an older attribute of SVG': `${known}<svg><script src="x" xlink:href="//cdn.example/b.js"></script></svg>`,
    'in SVG with elements in it':
      known.replace('run()', '</script><svg><script language="none">ru<g></g>n()') + '</svg>',
    'in a language that it was not in': known.replace(' language="none"', ''),
    'as a module': known.replace('<script src="x"', '<script type="module" src="x"'),
    'from a declared shadow root': `${known}<div><template shadowrootmode="open"><script src="//cdn.example/b.js"></script></template></div>`,
    'on an event': `${known}<p onpointerover="run()">x</p>`,
    'in a refresh': `${known}<meta http-equiv=" refresh" content="0; url='java&#10;script:run()'">`,
  };
  for (const [name, markup] of Object.entries(scripts))
    it(`is rejected ${name}`, () =>
      expect(problems(pageWith(known), pageWith(markup)).join()).to.include(' new-script'));

  it('passes if a text only begins like the URL of one', () => {
    const text =
      '<img src="/i.png" alt="JavaScript: a guide"><meta name="description" content="javascript: a guide">';
    expect(problems(pageWith(''), pageWith(text))).to.deep.equal([]);
  });
});

describe('an attribute that a save adds', () => {
  const added = (before: string, after: string) => problems(pageWith(before), pageWith(after));
  const refused: Record<string, string> = {
    'a[ping]': '<a href="/x" ping="/x">x</a>',
    'a[PING]': '<a href="/x" PING>x</a>',
    'img[attributionsrc]': '<img src="/i.png" attributionsrc alt="">',
    'div[data-bind]': '<div data-bind="text: name"></div>',
    'div[x-data]': '<div x-data="{}"></div>',
    'div[@click]': '<div @click="run"></div>',
    'div[is]': '<div is="x-y"></div>',
    'div[constructor]': '<div constructor></div>',
    'iframe[allow]': '<iframe src="/x" allow="camera"></iframe>',
    'p[nonce]': '<p nonce="x">x</p>',
    'i[data-x]': '<template><i data-x></i></template>',
    'meta[charset="iso-2022-jp"]': '<meta charset="ISO-2022-JP">',
    'meta[http-equiv="content-security-policy"]': `<meta http-equiv=" Content-Security-Policy" content="img-src 'none'">`,
  };
  for (const [name, markup] of Object.entries(refused))
    it(`is rejected: ${name}`, () => {
      const [, element = '', attribute = ''] = /^(\w+)\[(.*)\]$/.exec(name) ?? [];
      const reasons = added('', markup);
      expect(reasons[0])
        .to.include(`<${element} `)
        .and.include(`> new-attribute ${attribute.toLowerCase()}`);
      expect(added(markup, markup)).to.deep.equal([]);
    });

  it('is reported with the attribute and the element', () => {
    const after = pageWith('<a href="/x" ping="/x">x</a>');
    const { violations: faults } = checkHtmlPage({
      path,
      before: { path, source: pageWith('') },
      after,
      sitePaths,
      mayAddLinks: true,
    });
    expect(faults).to.deep.equal([
      {
        line: 6,
        element: '<a ping>',
        code: 'new-attribute',
        values: ['ping'],
      },
    ]);
  });

  it('passes if the same kind of element had it, and on no other kind', () => {
    const before = '<button data-bs-toggle="modal">x</button>';
    expect(added(before, before + before.replace('modal', 'tab'))).to.deep.equal([]);
    expect(added(before, `${before}<a data-bs-toggle="modal">x</a>`)).to.have.length(1);
  });
});
