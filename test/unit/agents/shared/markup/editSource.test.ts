import { expect } from 'chai';
import fc from 'fast-check';
import { describeLines } from '../../../../../src/agents/shared/markup/nearestLines.ts';
import { repeatEdits } from '../../../../../src/agents/shared/markup/repeatEdits.ts';
import {
  editProblems,
  editSource,
  type SourceEdit,
} from '../../../../../src/agents/shared/markup/editSource.ts';
import { casesOf } from '../../../../helpers/cases.ts';

const edit = (source: string, ...edits: SourceEdit[]) =>
  editSource({ path: 'index.html', source }, edits).source;
const refusal = (source: string, ...edits: SourceEdit[]) => {
  try {
    return `not refused: ${edit(source, ...edits)}`;
  } catch (error) {
    return (error as Error).message;
  }
};

describe('an edit of HTML', () => {
  const list = '<ul>\n  <li>One &amp; two</li>\n  <li>Three</li>\n</ul>\n';

  it('replaces a text that occurs once, replaces lines, or copies lines', () => {
    expect(edit(list, { old: '<li>Three</li>', new: '<li>Four</li>' })).to.equal(
      list.replace('Three', 'Four'),
    );
    expect(edit(list, { lines: [2, 3], new: '  <li>One</li>\n' })).to.equal(
      '<ul>\n  <li>One</li>\n</ul>\n',
    );
    expect(edit(list, { lines: [2, 2], new: '' })).to.equal('<ul>\n  <li>Three</li>\n</ul>\n');
    expect(edit(list, { copy: [2, 3], after: 3 })).to.equal(
      '<ul>\n  <li>One &amp; two</li>\n  <li>Three</li>\n  <li>One &amp; two</li>\n  <li>Three</li>\n</ul>\n',
    );
    expect(edit(list, { copy: [4, 4], after: 0 })).to.equal(`</ul>\n${list}`);
    expect(edit('<p>a</p>', { copy: [1, 1], after: 1 })).to.equal('<p>a</p>\n<p>a</p>');
    expect(edit('<p>a</p>', { lines: [1, 1], new: '<p>$& $1</p>' })).to.equal('<p>$& $1</p>');
  });

  it("finds a text with other white space, and keeps the page's white space where nothing differs", () => {
    const old = '<ul><li>One &amp; two</li> <li>Three</li></ul>';
    expect(edit(list, { old, new: old.replace('Three', 'Four') })).to.equal(
      list.replace('Three', 'Four'),
    );
    expect(
      edit(list, { old, new: old.replace('<li>Three', '\n<li>New</li>\n<li>Three') }),
    ).to.equal(list.replace('  <li>Three', '  <li>New</li>\n  <li>Three'));
    expect(edit(list, { old, new: old.replace(' <li>Three</li>', '') })).to.equal(
      '<ul>\n  <li>One &amp; two</li>\n</ul>\n',
    );
  });

  it('keeps the white space around a text that it replaces', () => {
    const source = '<p>\n  Hello\n</p>\n<p>\n</p>';
    expect(edit(source, { old: '<p>Hello</p>', new: '<p>Bye</p>' })).to.equal(
      source.replace('Hello', 'Bye'),
    );
    expect(edit(source, { old: '<p></p>', new: '<p>Bye</p>' })).to.equal(
      '<p>\n  Hello\n</p>\n<p>\nBye\n</p>',
    );
  });

  it('uses the line ends of the page', () => {
    const windows = list.replaceAll('\n', '\r\n');
    const both = '<li>One &amp; two</li>\n  <li>Three</li>';
    expect(edit(windows, { old: both, new: `${both}\n  <li>Four</li>` })).to.equal(
      windows.replace('Three</li>', 'Three</li>\r\n  <li>Four</li>'),
    );
    expect(edit(windows, { lines: [2, 3], new: '<li>a</li>\n<li>b</li>' })).to.equal(
      '<ul>\r\n<li>a</li>\r\n<li>b</li>\r\n</ul>\r\n',
    );
    expect(edit(windows, { copy: [2, 2], after: 2 })).not.to.match(/[^\r]\n/);
  });

  it('counts lines as they were before the call, and shows those after it', () => {
    const { source, shown } = editSource({ path: 'index.html', source: list }, [
      { copy: [2, 2], after: 2 },
      { lines: [3, 3], new: '  <li>3</li>' },
      { old: '<ul>', new: '<ul class="a">' },
    ]);
    expect(source).to.equal(
      '<ul class="a">\n  <li>One &amp; two</li>\n  <li>One &amp; two</li>\n  <li>3</li>\n</ul>\n',
    );
    expect(shown).to.equal(
      '1: <ul class="a">\n2:   <li>One &amp; two</li>\n3:   <li>One &amp; two</li>\n4:   <li>3</li>\n5: </ul>',
    );
  });

  const nearest = describeLines([
    { line: 3, text: '<li>Three</li>' },
    { line: 2, text: '<li>One &amp; two</li>' },
  ]);
  const wrong: Record<string, [edits: SourceEdit[], problem: string]> = {
    'a text that is not there': [
      [{ old: '<li>Threee</li>', new: '' }],
      editProblems.missingText(nearest),
    ],
    'a text that is there often': [
      [{ old: '<li>', new: '' }],
      editProblems.repeatedText(2, [2, 3]),
    ],
    'a text without words': [[{ old: ' \n', new: 'x' }], editProblems.noWords()],
    'a line that is not there': [[{ lines: [3, 5], new: '' }], editProblems.missingLine(5, 4)],
    'a line 0': [[{ lines: [0, 1], new: '' }], editProblems.missingLine(0, 4)],
    'lines from the end': [[{ lines: [3, 2], new: '' }], editProblems.reversedLines(3, 2)],
    'a copy behind no line': [[{ copy: [1, 1], after: 9 }], editProblems.missingLine(9, 4)],
    'what changes nothing': [[{ lines: [1, 1], new: '<ul>' }], editProblems.unchanged()],
    'what was not shown': [
      [{ old: '<ul>', new: '<ul d="M0…[120 characters cut]">' }],
      editProblems.cutText(1),
    ],
    'edits of the same text': [
      [
        { lines: [2, 3], new: '' },
        { old: 'Three', new: 'Four' },
      ],
      editProblems.overlap(1, 2, 3),
    ],
    'the second of two edits': [
      [
        { old: 'Three', new: 'Four' },
        { old: 'Five', new: 'Six' },
      ],
      editProblems.ofEdit(2, editProblems.missingText('')),
    ],
  };
  for (const [name, [edits, problem]] of Object.entries(wrong))
    it(`is rejected for ${name}`, () => {
      expect(refusal(list, ...edits)).to.equal(problem);
    });

  const word = fc.stringMatching(/^[a-z]{1,6}$/);
  const space = fc.constantFrom('', ' ', '\n', '\n    ', '\r\n', '\t');
  const piece = fc.oneof(
    word,
    fc.constantFrom('&amp;', '&copy;', '€', '😀', '<br>', '<!-- a -->', '<b class="x">', '</b>'),
  );
  const markup = fc
    .array(fc.tuple(piece, space), { maxLength: 20 })
    .map((parts) => parts.flat().join(''));

  it('changes no other byte', () => {
    fc.assert(
      fc.property(markup, markup, markup, word, (before, between, after, now) => {
        const [one, other] = ['<i>first mark</i>', '<i>second mark</i>'];
        const source = before + one + between + other + after;
        expect(
          edit(
            source,
            { old: other, new: `<i>${now}-2</i>` },
            { old: '<i>first\n  mark </i>', new: `<i>${now}-1</i>` },
          ),
        ).to.equal(`${before}<i>${now}-1</i>${between}<i>${now}-2</i>${after}`);
      }),
      { numRuns: casesOf(500) },
    );
  });

  it('of whole blocks with other white space changes only the word that differs', () => {
    const spaced = fc.array(fc.tuple(word, space), { minLength: 3, maxLength: 12 });
    fc.assert(
      fc.property(spaced, fc.nat(), markup, (items, at, around) => {
        const index = at % items.length;
        const written = (words: string[], spaceOf: (i: number) => string) =>
          words.map((one, i) => `<li>${one}${i}</li>${spaceOf(i)}`).join('');
        const words = items.map(([text]) => text);
        const changed = words.map((one, i) => (i === index ? 'NEW' : one));
        const own = (i: number) => items[i]![1];
        const source = `${around}<ol>${written(words, own)}</ol>${around}`;
        expect(
          edit(source, {
            old: `<ol>\n${written(words, () => '\n')}</ol>`,
            new: `<ol>\n${written(changed, () => '\n')}</ol>`,
          }),
        ).to.equal(`${around}<ol>${written(changed, own)}</ol>${around}`);
      }),
      { numRuns: casesOf(500) },
    );
  });

  it('of a block with other white space results in the new block, whatever elements come and go', () => {
    const word = fc.constantFrom('tea', 'cake', 'we', 'sell');
    const { inline } = fc.letrec<{ inline: string; piece: string; element: string }>((tie) => ({
      inline: fc.array(tie('piece'), { minLength: 1, maxLength: 3 }).map((all) => all.join(' ')),
      piece: fc.oneof({ maxDepth: 3 }, word, word, tie('element')),
      element: fc
        .tuple(fc.constantFrom('b', 'i', 'a', 'span'), tie('inline'))
        .map(([tag, inner]) => `<${tag}>${inner}</${tag}>`),
    }));
    const shown = (source: string) =>
      source
        .replace(/<[^>]*>/g, '')
        .replace(/\s+/g, ' ')
        .trim();
    fc.assert(
      fc.property(inline, inline, (one, other) => {
        const [old, now] = [`<p>${one}</p>`, `<p>${other}</p>`];
        fc.pre(old !== now);
        const page = { path: 'index.html', source: `<h1>X</h1>\n${old}\n` };
        const wanted = shown(page.source.replace(old, now));
        const alike = repeatEdits(page, { ...page, path: 'other.html' }, [{ old, new: now }]);
        expect(shown(alike.source!)).to.equal(wanted);
        const broken = page.source.replace(/(?<=p>[^ ]*) /, '\n      ');
        expect(shown(edit(broken, { old, new: now }))).to.equal(wanted);
      }),
      { numRuns: casesOf(1_000) },
    );
  });
});

describe('an edit of HTML everywhere', () => {
  const alike = (
    page: { path: string; source: string },
    other: { path: string; source: string },
    ...edits: SourceEdit[]
  ) => repeatEdits(page, other, edits);
  const links = (up: string, indent: string, current = '') =>
    ['index', 'prices', 'contact']
      .map((name) => {
        const mark = name === current ? ' class="active" aria-current="page"' : '';
        return `${indent}<li><a href="${up}${name}.html"${mark}>${name}</a></li>\n`;
      })
      .join('');
  const page = { path: 'index.html', source: `<ul>\n${links('', '  ', 'index')}</ul>\n` };
  const old = '<li><a href="prices.html">prices</a></li>';
  const now = `${old}\n<li><a href="team/a.html">Team</a></li>`;

  for (const [path, up, team] of [
    ['contact.html', '', 'team/a.html'],
    ['team/b.html', '../', 'a.html'],
    ['a/b/c/index.html', '../../../', '../../../team/a.html'],
    ['a/x.html', '/', '../team/a.html'],
  ])
    it(`finds the same block of ${path}, whatever its depth, white space and current page`, () => {
      const source = `<nav><ul>\r\n${links(up!, '\t', 'prices').replaceAll('\n', '\r\n')}</ul></nav>`;
      const before = `>prices</a></li>\r\n`;
      expect(alike(page, { path: path!, source }, { old, new: now })).to.deep.equal({
        missing: [],
        source: source.replace(before, `${before}\t<li><a href="${team}">Team</a></li>\r\n`),
      });
    });

  it('finds URLs without quotes, in meta elements and in data attributes', () => {
    const block = (up: string) =>
      `<meta property="og:image" content="${up}img/a.png">\n<a href=${up}b.html data-large="${up}img/b.jpg" data-of="a/b">B</a>\n`;
    const page = { path: 'index.html', source: block('') };
    const other = { path: 'd/e.html', source: block('../') };
    const edit = { old: block(''), new: block('').replace('>B<', '>See B<') };
    expect(alike(page, other, edit).source).to.equal(block('../').replace('>B<', '>See B<'));
    const picture = { old: 'content="img/a.png"', new: 'content="img/c.png"' };
    expect(alike(page, other, picture).source).to.equal(block('../').replace('a.png', 'c.png'));
  });

  it('writes URLs for the other page if only they differ or swap positions', () => {
    const source = '<a href="a.html">x</a><a href="b/">y</a>';
    const page = { path: 'index.html', source };
    const other = { path: 'd/e.html', source: source.replaceAll('href="', 'href="../') };
    const swapped = '<a href="b/">y</a><a href="a.html">x</a>';
    expect(alike(page, other, { old: source, new: swapped }).source).to.equal(
      swapped.replaceAll('href="', 'href="../'),
    );
    const now = '<a href="d/f.html">x</a><a href="https://b.example/">y</a>';
    expect(alike(page, other, { old: source, new: now }).source).to.equal(
      now.replace('d/f.html', 'f.html'),
    );
  });

  it('keeps the mark of the current page if its link swaps positions', () => {
    const source = links('', '', 'contact');
    const other = { path: 'd/e.html', source };
    const order = (text: string) => text.split('\n').filter(Boolean);
    const [first, second, third] = order(links('../', ''));
    const page = { path: 'x/y.html', source: links('../', '', 'index') };
    const old = order(page.source).join('\n');
    const now = [third, order(page.source)[0], second].join('\n');
    const [own1, own2, own3] = order(links('../', '', 'contact'));
    const there = { ...other, source: `<ul>\n${[own1, own2, own3].join('\n')}\n</ul>` };
    expect(first).to.contain('index');
    expect(alike(page, there, { old, new: now }).source).to.equal(
      `<ul>\n${[own3, own1, own2].join('\n')}\n</ul>`,
    );
  });

  it('finds a block of lines by the lines around the difference', () => {
    const other = { path: 'x/b.html', source: `<ul>\n${links('../', '  ')}  <li>More</li>\n</ul>` };
    const found = alike(page, other, {
      lines: [1, 5],
      new: page.source.replace('>contact<', '>Write to us<'),
    });
    expect(found).to.deep.equal({
      missing: [],
      source: other.source.replace('>contact<', '>Write to us<'),
    });
  });

  it('leaves pages unchanged that lack the block or have it twice', () => {
    const lacking = { path: 'b.html', source: '<p>prices</p>' };
    expect(alike(page, lacking, { old, new: now })).to.deep.equal({ missing: [0] });
    const twice = { path: 'b.html', source: links('', '').repeat(2) };
    expect(alike(page, twice, { old, new: now })).to.deep.equal({ missing: [0] });
    const both = { path: 'b.html', source: links('', '') };
    expect(alike(page, both, { old: '<ul>', new: '<ol>' }, { old, new: '' })).to.deep.equal({
      missing: [0],
      source: both.source.replace(`${old}\n`, '\n'),
    });
  });

  it('copies a block only behind itself', () => {
    expect(() => alike(page, page, { copy: [2, 2], after: 4 })).to.throw(/only behind itself/);
    expect(
      alike(
        page,
        { path: 'd/b.html', source: `<ul>${links('../', '')}</ul>` },
        {
          copy: [3, 3],
          after: 3,
        },
      ).source,
    ).to.contain(
      '<li><a href="../prices.html">prices</a></li>\n<li><a href="../prices.html">prices</a></li>',
    );
  });
});
