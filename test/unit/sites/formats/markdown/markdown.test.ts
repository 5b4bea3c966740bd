import { expect } from 'chai';
import { limits } from '../../../../../src/contract/task.ts';
import { markdown } from '../../../../../src/sites/formats/markdown/markdown.ts';
import { createRandom, editAtRandom, expectSameBytes } from './randomEdits.ts';
import { readMarkdownFiles } from './corpus.ts';
import { cpuTime } from '../../../../helpers/growth.ts';

const { calls } = markdown;
const pageOf = (source: string, path = 'locations/austin.md') => ({ path, source });
const idOf = (source: string, text: string, path?: string) => {
  const slot = calls.read(pageOf(source, path)).slots.find((one) => one.text === text);
  if (!slot) throw new Error(`no slot "${text}"`);
  return slot.id;
};
/** Replaces one text of a page. */
const replace = (source: string, text: string, newText: string, path?: string) =>
  calls.setTexts(pageOf(source, path), { [idOf(source, text, path)]: newText });

const page = `\uFEFF---\r
title: Austin, Texas # the city\r
description: 'It''s here'\r
tags: [a, b]\r
cards:\r
  - title: "One \\u00e9"\r
    text: |\r
      First line\r
      second\r
---\r
\r
# Web design in *Austin* #\r
\r
Call [us](./contact.md "now") today &amp; \\*soon\\*\r
or {{ x }} later.  \r
Next\r
\r
> quote one\r
> two **bold**\r
\r
| a | b \\| c |\r
|---|---|\r
\r
- [ ] item ![alt text](a.png)\r
\r
{{< note >}}\r
hidden\r
{{< /note >}}\r
`;

describe('Markdown pages', () => {
  it('have slots for their texts, and none for code', () => {
    expect(
      calls.read(pageOf(page)).slots.map(({ id, role, text }) => `${id} ${role} ${text}`),
    ).to.deep.equal([
      's0.0 title Austin, Texas',
      "s0.1 description It's here",
      's0.4 structured-data One é',
      's0.5 structured-data First line\nsecond',
      's1 heading Web design in <1>Austin</1>',
      's3 paragraph Call <1>us</1> today & *soon* or <2/> later.<3/>Next',
      's7 paragraph quote one two <1>bold</1>',
      's11 table-cell a',
      's12 table-cell b | c',
      's15 list-item item',
      's16.alt image-alt alt text',
    ]);
  });

  it('change only the bytes of a new text', () => {
    const changes: [old: string, wanted: string, before: string, after: string][] = [
      ['Austin, Texas', 'Lisbon, Portugal', 'Austin, Texas #', 'Lisbon, Portugal #'],
      ['Austin, Texas', 'Lisbon: new', 'Austin, Texas #', '"Lisbon: new" #'],
      ["It's here", "It's there", "'It''s here'", "'It''s there'"],
      ['One é', 'Two é', '"One \\u00e9"', '"Two \\u00e9"'],
      ['First line\nsecond', 'First line\nthird', 'second', 'third'],
      ['Web design in <1>Austin</1>', 'Web design in <1>Lisbon</1>', '*Austin*', '*Lisbon*'],
      ['quote one two <1>bold</1>', 'quote one 2 <1>bold</1>', '> two', '> 2'],
      ['b | c', 'b | d', 'b \\| c', 'b \\| d'],
      ['item', '*all*', '[ ] item', '[ ] &#42;all&#42;'],
      ['alt text', 'a [b]', 'alt text', 'a &#91;b&#93;'],
    ];
    for (const [text, newText, before, after] of changes)
      expect(replace(page, text, newText)).to.equal(page.replace(before, after));
  });

  it('keep tags, links and code beside a changed word', () => {
    const text = 'Call <1>us</1> today & *soon* or <2/> later.<3/>Next';
    expect(replace(page, text, text.replace('today', 'now'))).to.equal(
      page.replace('today', 'now'),
    );
    expect(() => replace(page, text, 'Call us')).to.throw('part <1> is missing');
  });

  it('write a text with entities only if that text needs them', () => {
    const source = 'First words\n\nSecond words\n\nThird words\n';
    const { slots } = calls.read(pageOf(source, 'a.mdx'));
    const texts = ["Don't - it's 5.", 'Use {x', 'See a/b: c!'];
    const newTexts = Object.fromEntries(slots.map(({ id }, i) => [id, texts[i]!]));
    expect(calls.setTexts(pageOf(source, 'a.mdx'), newTexts)).to.equal(
      `${texts.join('\n\n')}\n`.replace('{', '&#123;'),
    );
  });

  it('refuse a text that Markdown cannot show there, with line and column', () => {
    const source = 'Intro\n\nfoo**bar**baz\n';
    expect(() => replace(source, 'foo<1>bar</1>baz', 'foo<1>bar!</1>baz')).to.throw(
      'Line 3, column 1: the text of slot',
    );
    expect(() => replace('# Title\n', 'Title', '')).to.throw('Line 1, column 3');
  });

  // own-site.md names these bugs of other editors
  const brokenElsewhere: [bug: string, source: string, path?: string][] = [
    ['nuxt-studio#556: emphasis', '*a* one, __b__ two, **_c_** three and `d` word here\n'],
    ['tinacms#6324: entities', 'Use &lt;b&gt;, &amp;nbsp; and &#123; word here\n'],
    ['tinacms#6324: entities', '<Mail title="&lt;a&gt;">\n\n&lt;b&gt; word\n\n</Mail>\n', 'a.mdx'],
    ['tinacms#4503: braces', 'Use \\{lpurl\\}, \\{ and \\\\ word here\n'],
    ['tinacms#4503: braces', 'Use \\{lpurl\\}, \\{ and \\\\ word here\n', 'a.mdx'],
    [
      'tinacms#2577: white space and marks',
      '* one\n+ two\n  1) three  \n\n***\nSetext\n===\n\n|a|b|\n|-|:-:|\n|c  |d|\n\n~~~\nx\n~~~\nword\n',
    ],
    [
      'decap-cms#4360: Liquid',
      'By {{ page.author_name }} {% if a_b %}*x*{% endif %} {%- include a_b.html c="d" -%} word\n',
    ],
    [
      'webstudio#6234: byte-order mark, line ends and front matter',
      '\uFEFF---\r\ntitle:   "A"   # a\r\nlist:\r\n- x  \r\n-   \'y\'\r\n\r\n---\r\n\r\nA word here',
    ],
  ];
  for (const [bug, source, path] of brokenElsewhere)
    it(`keep what other editors break: ${bug}${path ? ' in MDX' : ''}`, () => {
      const { id, text } = calls.read(pageOf(source, path)).slots.at(-1)!;
      const newText = text.replace('word', 'text');
      expect(calls.setTexts(pageOf(source, path), { [id]: newText })).to.equal(
        source.replace(/word(?!.*word)/s, 'text'),
      );
    });

  it('keep what other editors break: tinacms#6324: brackets that people type', () => {
    const source = '<Mail title="Topic">\n\nSome words\n\n</Mail>\n';
    const path = 'a.mdx';
    const text = '<name> & {id} > a';
    for (const old of ['Topic', 'Some words']) {
      const edited = replace(source, old, text, path);
      expect(idOf(edited, text, path)).to.equal(idOf(source, old, path));
      expect(edited.replace(/&[#\w]+;/g, '')).to.not.match(/<name|\{|& /);
    }
  });

  it('are unreadable if something in them is broken, and the reason names the line', () => {
    for (const [source, path] of [
      ['\uFEFF---\r\ntitle: A\r\nlist: [a\r\n---\r\n\r\nwords\r\n', 'a.md'],
      ['One\n\nTwo {lpurl three\n', 'a.mdx'],
      ['One\n\nTwo <b three\n', 'a.mdx'],
      ['One\n\n<Card>\n\nTwo\n', 'a.mdx'],
      ['{\n  "title": "A",\n  "list": ["a"\n}\n\nwords\n', 'a.md'],
      ['{\n  "title": "A"\n  "list": ["a"]\n}\n\nwords\n', 'a.md'],
    ] as const)
      expect(() => calls.read(pageOf(source, path)), source)
        .to.throw(/\b[Ll]ine [345]\b/)
        .with.property('code', 'PAGE_UNREADABLE');
  });

  it('have no front matter if an expression of MDX stands first', () => {
    for (const source of ['{"Hello"}\n\n# One\n', '{" "}\n\n# One\n', '{ title }\n\n# One\n'])
      expect(calls.read(pageOf(source, 'a.mdx')).slots.map(({ text }) => text)).to.include('One');
  });

  it('edit the texts of MDX, and keep its imports, expressions and components', () => {
    const source =
      'import X from "./x"\n\n<Card title="Old title" icon="x" n={1}>\n  Some *text* {a}\n</Card>\n';
    expect(replace(source, 'Old title', 'Say "hi"', 'a.mdx')).to.equal(
      source.replace('Old title', 'Say &#34;hi&#34;'),
    );
    expect(replace(source, 'Some <1>text</1>', 'Any <1>{b}</1>', 'a.mdx')).to.equal(
      source.replace('Some *text*', 'Any *&#123;b&#125;*'),
    );
  });

  it('list and change links and images', () => {
    expect(calls.links(pageOf(page))[0]).to.deep.include({
      href: './contact.md',
      slug: '/locations/contact',
      text: 'us',
    });
    const target = { path: 'about.md', slug: '/about', query: '', fragment: '#team' };
    const [link] = calls.links(pageOf(page));
    expect(calls.setLink(pageOf(page), link!.id, target)).to.equal(
      page.replace('./contact.md', '../about.md#team'),
    );
    const from = { path: 'locations/contact.md', slug: '/locations/contact' };
    const to = { path: 'contact.md', slug: '/contact' };
    expect(calls.move(pageOf(page), { from, to, sitePaths: [] })).to.equal(
      page.replace('./contact.md', '../contact.md'),
    );
    expect(calls.images(pageOf(page))).to.deep.equal([
      { id: 's16.alt', file: 'a.png', path: 'locations/a.png', alt: 'alt text' },
    ]);
  });

  it('are rendered without scripts, with their texts marked', () => {
    const source = '# One\n\n<script>alert(1)</script>\n\n[x](javascript:alert(1)) *y*\n';
    const html = calls.frame(pageOf(source), {
      url: 'https://a.example/',
      head: '',
      attribute: 'data-slot',
    });
    expect(html).to.include('<h1><slot-text data-slot="s1 0">One</slot-text></h1>');
    expect(html).to.include('Plain rendering: your site’s design is missing.');
    expect(html).to.not.match(/<script|javascript:/);
  });
});

describe('checks of Markdown pages', () => {
  const codesOf = (before: string, after: string, path = 'a.md') =>
    calls
      .check({ path, before: pageOf(before, path), after, sitePaths: ['a.md'], mayAddLinks: true })
      .violations.map(({ code, line }) => `${code} ${line}`);

  it('refuse what breaks the page, and code that it did not have', () => {
    const before = '---\ntitle: A\n---\n\n# One\n';
    const cases: [after: string, found: string[]][] = [
      [`${before}\nA new text with <br> and [a link](https://b.example).\n`, []],
      ['---\ntitle: [A\n---\n\n# One\n', ['parse-error 3']],
      ['+++\ntitle = A\n+++\n\n# One\n', ['parse-error 2']],
      ['{"title": "A",\n "tags": [}\n\n# One {x\n', ['parse-error 2']],
      ['# One\n', ['lost-text 1', 'lost-text 1']],
      [`${before}\n\`\`\`js\ncode\n`, ['parse-error 7']],
      [`${before}\n<script src="x"></script>\n`, ['new-code 7']],
      [`${before}\n{% include x %}\n`, ['new-code 7']],
      [`${before}\n[x](javascript:alert(1))\n`, ['new-script 7']],
      [`${before}\n[x](./missing.md)\n`, ['broken-link 7']],
      [`${before}\n![x](https://b.example/x.png)\n`, ['new-request-host 7']],
      [`${before}\n[CITY] is here\n`, ['new-placeholder 7']],
    ];
    for (const [after, found] of cases) expect(codesOf(before, after), after).to.deep.equal(found);
    expect(codesOf('# One\n', '# One\n\n<Card\n', 'a.mdx')).to.deep.equal(['parse-error 4']);
    expect(codesOf('# One\n', 'import x from "y"\n\n# One\n', 'a.mdx')).to.deep.equal([
      'new-code 1',
    ]);
  });
});

describe('notes on Markdown pages', () => {
  const check = (before: string, after: string, path = 'content/b.md') =>
    calls.check({
      path,
      before: { path: 'content/a.md', source: before },
      after,
      sitePaths: ['content/a.md', path],
      mayAddLinks: false,
    });
  const source = '---\ntitle: A\nlayout: x\ndraft: true\n---\nSome words\n';

  it('name what keeps a new page from readers', () => {
    expect(check(source, source).staleDetails.map(({ values }) => values)).to.deep.equal([
      ['draft: true'],
    ]);
    expect(check(source, source, 'content/a.md').staleDetails).to.deep.equal([]);
    expect(check(source, source.replace('true', 'false')).staleDetails).to.deep.equal([]);
  });

  it('name the front matter that an edit removed', () => {
    const edited = source.replace('layout: x\n', '');
    expect(check(source, edited, 'content/a.md').setup.removed).to.deep.equal([
      '"layout" in the front matter',
    ]);
    expect(check(source, edited).setup.removed).to.deep.equal([]);
  });

  it('name the front matter that a new page keeps, and not its address and dates', () => {
    const template = pageOf(
      '---\nlayout: city page\ndate: 2026-01-02\nslug: austin\npermalink: /{{ x }}/austin/\n---\n',
    );
    const kept = ['layout: city page', 'permalink: /{{ x }}/austin/'];
    const textsOf = (opaque: { kind: string; text: string }[]) =>
      opaque.flatMap(({ kind, text }) => (kind === 'front matter' ? [text] : []));
    expect(textsOf(calls.readTemplate(template, []).opaque)).to.deep.equal(kept);
    expect(textsOf(calls.read(template).opaque)).to.include.members([
      ...kept,
      'date: 2026-01-02',
      'slug: austin',
    ]);
  });

  it('name titles that other pages have, and keys that the other pages of a folder have', () => {
    const siblings = ['content/c.md', 'content/d.md', 'other/e.md'].map((path, i) => ({
      path,
      source: `---\ntitle: Page ${i}\nweight: ${i}\n${i > 0 ? 'extra: 1\n' : ''}---\n`,
    }));
    const template = { path: 'content/a.md', source };
    const { titles, missingKeys } = calls.readTemplate(template, [
      ...siblings,
      { path: 'content/x.md', source: '---\n[: broken\n---\n' },
    ]);
    expect(titles).to.deep.equal({
      '/content/c': 'Page 0',
      '/content/d': 'Page 1',
      '/other/e': 'Page 2',
    });
    expect(missingKeys).to.deep.equal(['weight']);
    expect(calls.readTemplate(template, siblings.slice(0, 1)).missingKeys).to.deep.equal([]);
  });
});

describe('paths of Markdown pages', () => {
  const { paths } = markdown;

  it('are those of all Markdown files', () => {
    const files = ['a.md', 'docs/b/_index.md', '_posts/2026-01-05-c.md', 'd.mdx', 'e.markdown'];
    expect(files.filter((path) => !paths.handles(path))).to.deep.equal([]);
    expect(paths.slugOf('docs/e.markdown')).to.equal('/docs/e');
    expect(paths.pathOf('/f', 'docs/e.markdown')).to.equal('f.markdown');
  });

  it('leave out documents of the repository, and parts of pages', () => {
    for (const path of [
      'content/README.md',
      'docs/readme.md',
      'CHANGELOG.md',
      'vendor/x/a.md',
      'archetypes/default.md',
      'content/_part.mdx',
      'content/.x/a.md',
      'node_modules/x/content/a.md',
      '_includes/content/a.md',
    ])
      expect(paths.handles(path), path).to.equal(false);
    expect(['a/b.mdx', 'b/_index.md', 'index.md'].map((path) => paths.slugOf(path))).to.deep.equal([
      '/a/b',
      '/b',
      '/',
    ]);
    expect(paths.pathOf('/x', 'a/index.mdx')).to.equal('x/index.mdx');
  });
});

describe('real Markdown', () => {
  it('is read, kept byte for byte, and edited as asked or refused', function () {
    this.timeout(600_000);
    const random = createRandom(7);
    const files = readMarkdownFiles(40);
    let edits = 0;
    let refused = 0;
    for (const file of files) {
      expectSameBytes(file);
      const edit = editAtRandom(file, random);
      if (edit) edits++;
      if (edit === 'refused') refused++;
    }
    expect(files.length).to.be.greaterThan(35);
    expect(edits).to.be.greaterThan(25);
    expect(refused).to.be.lessThan(edits / 10);
  });
});

describe('hostile Markdown', () => {
  const size = 3_000;
  const hostile: [name: string, source: string][] = [
    ['quotes', '>'.repeat(size)],
    ['lists', '- '.repeat(size / 10)],
    ['brackets', '['.repeat(size)],
    ['emphasis', '*a_'.repeat(size / 3)],
    ['much emphasis', '*a '.repeat(20 * size) + 'b_ '.repeat(20 * size)],
    ['struck texts', 'a~~a~'.repeat(20 * size)],
    ['references', '[a][b]\n'.repeat(size / 7)],
    ['tags', '{{< a >}}{% b %}'.repeat(size / 16)],
    ['open tags', '{{<    '.repeat(size / 7)],
    ['backticks', '`'.repeat(size) + 'x'],
    ['table', `|${'a|'.repeat(size / 10)}\n|${'-|'.repeat(size / 10)}\n`],
    ['headings', '# \n## \n'.repeat(size)],
    ['links', '[a](b) '.repeat(size)],
    ['items', `- a b\n`.repeat(size)],
    ['objects', `{"a": [${'{},'.repeat(20 * size)}{}]}\n`],
    ['YAML lists', `---\na: ${'['.repeat(size)}\n---\n`],
    ['YAML anchors', `---\na: &a [x]\n${'b: [*a, *a]\n'.repeat(size / 12)}---\ntext\n`],
  ];
  for (const [name, source] of hostile)
    it(`is read or refused within 5 CPU seconds: ${name}`, function () {
      this.timeout(120_000);
      const taken = cpuTime(() => {
        try {
          const { slots } = calls.readTemplate(pageOf(source), []);
          expect(slots.length).to.be.at.most(limits.pageSlots);
        } catch (error) {
          expect(error)
            .to.have.property('code')
            .that.is.oneOf(['LIMIT_EXCEEDED', 'PAGE_UNREADABLE']);
        }
      });
      expect(taken, 'milliseconds').to.be.below(5_000);
    });
});
