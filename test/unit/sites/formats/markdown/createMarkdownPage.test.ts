import { expect } from 'chai';
import { markdown } from '../../../../../src/sites/formats/markdown/markdown.ts';
import type { PageCreation } from '../../../../../src/sites/formats/format.ts';

const { calls, paths } = markdown;

const template = {
  path: 'content/en/locations/austin.md',
  source: `\uFEFF---\r
title:   "Web design in Austin"   # shown in the tab\r
slug: austin\r
permalink: /en/locations/austin/\r
date: 2024-01-02T10:20:30+02:00 # first\r
lastmod: '2024-02-03'\r
aliases:\r
  - /austin\r
  - /texas # old\r
draft: true\r
cover: ../images/austin.jpg\r
---\r
\r
# Web design in Austin #\r
\r
See [what we do](#web-in-austin), [contact](../contact.md), [Austin](./austin.md),\r
[this page](./austin.md#web-in-austin) or [512-555-0100](tel:+15125550100).  \r
\r
## Web in *Austin*\r
\r
{{< map austin >}}\r
`,
};
const sitePaths = [
  template.path,
  'content/en/contact.md',
  'content/de/contact.md',
  'content/en/images/austin.jpg',
];

/** Makes a new page with texts in the place of others. */
function create(
  slug: string,
  texts: Record<string, string>,
  more: Partial<PageCreation> = {},
): { path: string; source: string } {
  const page = more.template ?? template;
  const { digest, slots } = calls.readTemplate(page, []);
  const idOf = (text: string) => {
    const slot = slots.find((one) => one.text === text);
    if (!slot) throw new Error(`no slot "${text}" in ${slots.map((one) => one.text).join('\n')}`);
    return slot.id;
  };
  const path = paths.pathOf(slug, page.path);
  const source = calls.create({
    template: page,
    target: { slug, path },
    texts: Object.fromEntries(Object.entries(texts).map(([text, now]) => [idOf(text), now])),
    date: '2026-11-30T12:34:56.789Z',
    sitePaths,
    digest,
    siblings: [],
    ...more,
  });
  return { path, source };
}

const replaceAll = (source: string, changes: Record<string, string>) =>
  Object.entries(changes).reduce((text, [before, after]) => {
    expect(text).to.include(before);
    return text.replaceAll(before, () => after);
  }, source);

describe('a new page from a template in Markdown', () => {
  it('has the bytes of the template with its own texts, address, dates and links', () => {
    const { path, source } = create('/content/de/orte/lisbon', {
      'Web design in Austin': 'Web design in Lisbon',
      'Web in <1>Austin</1>': 'Web in <1>Lisbon</1>',
      'See <1>what we do</1>, <2>contact</2>, <3>Austin</3>, <4>this page</4> or <5>512-555-0100</5>.':
        'See <1>what we do</1>, <2>contact</2>, <3>Austin</3>, <4>this page</4> or <5>512-555-0199</5>.',
    });
    expect(path).to.equal('content/de/orte/lisbon.md');
    expect(source).to.equal(
      replaceAll(template.source, {
        '"Web design in Austin"': '"Web design in Lisbon"',
        'slug: austin': 'slug: lisbon',
        '/en/locations/austin/': '/de/orte/lisbon/',
        '2024-01-02T10:20:30+02:00': '2026-11-30T12:34:56+00:00',
        "'2024-02-03'": "'2026-11-30'",
        'aliases:\r\n  - /austin\r\n  - /texas # old\r\n': '',
        '../images/austin.jpg': '../../en/images/austin.jpg',
        '(#web-in-austin)': '(#web-in-lisbon)',
        '[Austin](./austin.md)': '[Austin](../../en/locations/austin.md)',
        './austin.md#web-in-austin': './lisbon.md#web-in-lisbon',
        '512-555-0100': '512-555-0199',
        'tel:+15125550100': 'tel:+15125550199',
        '*Austin*': '*Lisbon*',
      }),
    );
  });

  it('follows the names, addresses and dates of its template, in YAML, TOML and JSON', () => {
    const cases: [path: string, slug: string, before: string, after: string][] = [
      // the name of the file, and what the front matter states
      ['a/austin/index.md', '/a/lisbon', '---\nid: austin\n---\n', '---\nid: lisbon\n---\n'],
      [
        'a/x.mdx',
        '/b/y',
        '---\nslug: /b2/x\nurl: /x.html\n---\n',
        '---\nslug: /b2/y\nurl: /y.html\n---\n',
      ],
      [
        '_posts/2024-01-02-a.md',
        '/_posts/2026-12-24-b',
        '---\nslug: a\ndate: 2024-01-02 10:00:00 +0200\n---\n',
        '---\nslug: b\ndate: 2026-12-24 12:34:56 +0000\n---\n',
      ],
      [
        'content/a.md',
        '/content/b',
        '+++\naliases = [\n  "/old",\n]\ntitle = "A"\ndate = 2024-01-02T00:00:00Z\nslug = "a"\n[params]\nx = "a"\n+++\n',
        '+++\ntitle = "A"\ndate = 2026-11-30T12:34:56Z\nslug = "b"\n[params]\nx = "a"\n+++\n',
      ],
      [
        'content/a.md',
        '/content/b',
        '{\n  "title": "A",\n  "url": "/a/",\n  "aliases": ["/old"]\n}\n',
        '{\n  "title": "A",\n  "url": "/b/"\n}\n',
      ],
      [
        'content/a.md',
        '/content/b',
        '{"redirect_from": "/old", "pubDate": "Jul 08 2022"}\n',
        '{"pubDate": "2026-11-30"}\n',
      ],
      // what only the site's generator understands stays
      [
        'a.md',
        '/b',
        '---\npermalink: /:title/\nurl: "{{ x }}"\n---\n',
        '---\npermalink: /:title/\nurl: "{{ x }}"\n---\n',
      ],
      [
        'a.md',
        '/b',
        '---\npermalink: false\nurl: https://a.example/a\n---\n',
        '---\npermalink: false\nurl: https://a.example/a\n---\n',
      ],
    ];
    for (const [path, slug, before, after] of cases) {
      const page = create(slug, {}, { template: { path, source: `${before}\nSome words\n` } });
      expect(page.source, path).to.equal(`${after}\nSome words\n`);
    }
    expect(paths.pathOf('/a/lisbon', 'a/austin/index.md')).to.equal('a/lisbon/index.md');
    expect(paths.pathOf('/a/lisbon', 'a/austin.mdx')).to.equal('a/lisbon.mdx');
    expect(() => paths.pathOf('/_posts/b', '_posts/2024-01-02-a.md')).to.throw('begin with a date');
  });

  it('is in the language of the request, if its template states one', () => {
    const source = '---\nlang: en\n---\nSome words\n';
    const page = create('/b', {}, { template: { path: 'a.md', source }, lang: 'pt-PT' });
    expect(page.source).to.equal(source.replace('en', 'pt-PT'));
  });

  it('gets the contacts and links of the request', () => {
    const source = 'Some words\n\n[Call us](tel:+15125550100) or read [more](./c.md)\n';
    const page = create(
      '/x/b',
      {},
      {
        template: { path: 'a.md', source },
        contacts: { telephone: '+351 210 000 000' },
        links: { s4: { path: 'd.md', slug: '/d', query: '', fragment: '' } },
      },
    );
    expect(page.source).to.equal(
      replaceAll(source, { 'tel:+15125550100': 'tel:+351210000000', './c.md': '../d.md' }),
    );
  });

  it('is refused if code would have to change', () => {
    const page = { path: 'a.mdx', source: 'import X from "./x"\n\nSome words\n' };
    expect(create('/b', {}, { template: page }).source).to.equal(page.source);
    expect(() => create('/b/c', {}, { template: page, sitePaths: ['x'] })).to.throw(
      '/a imports "./x", so new pages from it must be in its folder',
    );
    expect(() => create('/b', {}, { digest: '' })).to.throw('Start the task again');
  });

  it('lacks the blocks that the request removes', () => {
    const source = `# Austin

Since 1999 here

## Prices

From $900

### Small

- One $900
- Two

## Places

| Name | Price |
| ---- | ----- |
| A    | $1    |
| B    | words |

Last [words](#prices)
`;
    const page = { path: 'a.md', source };
    const { blocks, slots } = calls.readTemplate(page, []);
    const textOf = (id: string) => slots.find((slot) => slot.id === id)?.text ?? id;
    expect(
      blocks.map(({ id, around, isUnit, slots: own, labels, linked }) => {
        const texts = own.map((one) => (labels.includes(one) ? `${textOf(one)}:` : textOf(one)));
        return [id, around, isUnit, texts.join(' '), ...linked.map((link) => link.id)];
      }),
    ).to.deep.equal([
      ['s2', null, true, 'Since 1999 here'],
      ['s3', null, false, 'Prices:', 'prices'],
      ['s4', 's3', true, 'From $900'],
      ['s5', 's3', false, 'Small:'],
      ['s6', 's5', false, ''],
      ['s7', 's6', true, 'One $900'],
      ['s9', 's6', true, 'Two'],
      ['s11', null, false, 'Places:'],
      ['s12', 's11', false, 'Name: Price:'],
      ['s16', 's12', true, 'A $1'],
      ['s19', 's12', true, 'B words'],
      ['s22', 's11', true, 'Last <1>words</1>'],
    ]);
    const { source: newSource } = create(
      '/b',
      { Two: 'Three' },
      { template: page, removed: ['s2', 's4', 's7', 's16'] },
    );
    expect(newSource).to.equal(
      replaceAll(source, {
        'Since 1999 here\n\n': '',
        'From $900\n\n': '',
        '- One $900\n': '',
        '| A    | $1    |\n': '',
        Two: 'Three',
      }),
    );
    expect(create('/b', {}, { template: page, removed: ['s3', 's16'] }).source).to.equal(
      source.slice(0, source.indexOf('## Prices')) +
        source.slice(source.indexOf('## Places')).replace('| A    | $1    |\n', ''),
    );
    expect(() => create('/b', { 'One $900': 'x' }, { template: page, removed: ['s7'] })).to.throw(
      's8',
    );
    expect(() => create('/b', {}, { template: page, removed: ['s1'] })).to.throw(
      'cannot be removed',
    );
  });
});
