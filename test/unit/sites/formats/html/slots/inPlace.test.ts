import { expect } from 'chai';
import fc from 'fast-check';
import { html } from '../../../../../../src/sites/formats/html/html.ts';
import { plainText } from '../../../../../../src/agents/shared/text/parseMarks.ts';
import { replaceInSlot } from '../../../../../../src/agents/shared/text/replaceInSlot.ts';
import { findWords } from '../../../../../../src/agents/shared/text/textSpans.ts';
import { addInlineParts } from '../../../../../../src/agents/shared/texts/addInlineParts.ts';
import { casesOf } from '../../../../../helpers/cases.ts';

const path = 'page.html';
const WORD = 'Bakery';
const NEW_WORD = 'Northlight';

/** Elements and other things in a text that readers don't read as its words. */
const hidden = [
  '<script>document.write(new Date().getFullYear())</script>',
  '<style>b { color: red }</style>',
  '<template><b>a row</b></template>',
  '<noscript>without scripts</noscript>',
  '<!-- a note -->',
  '<!-- -->',
  '<!--[if IE]>old<![endif]-->',
  '<![if !IE]>',
  '<meta itemprop="position" content="1">',
];
const atoms = [
  '<br>',
  '<wbr>',
  '<img src="a.png">',
  '<svg viewBox="0 0 1 1"><path d="M0 0"/></svg>',
  '<iframe src="/map"></iframe>',
  '<object data="/a.pdf"></object>',
  '<textarea>typed</textarea>',
  '<select><option>one</option></select>',
  '<input name="a">',
  '<i class="icon"></i>',
  '<canvas></canvas>',
  '<?php the_year() ?>',
  '{{ page.year | default: "none" }}',
];
const between = [
  ' ',
  ' ',
  '\n      ',
  '  ',
  '&nbsp;',
  '\u00a0',
  ' &ndash; ',
  ' &copy; ',
  ' &copy ',
  ' &#8212; ',
  ' &#x2014; ',
  ' & ',
  ' &amp; ',
  ' &lt; ',
  ' < ',
  ', ',
  ' > ',
  ' &hellip;',
  '&shy;-',
];

/** A text in which WORD stands once, with things in it: each has its place in the text. */
interface InlineText {
  words: string[];
  seams: string[];
  word: number;
  things: { at: number; source: string }[];
  /** Elements around some characters: one, another in it, and one right behind it. */
  wrappers: Wrapper[];
}

interface Wrapper {
  name: string;
  from: number;
  to: number;
}

const wrappers = fc
  .record({
    names: fc.constantFrom(['b', 'i', 'em'], ['a', 'b', 'i'], ['span', 'a', 'u']),
    edges: fc.array(fc.nat(30), { minLength: 5, maxLength: 5 }),
    count: fc.nat(3),
  })
  .map(({ names, edges, count }): Wrapper[] => {
    const [a, b, c, d, e] = edges.sort((one, other) => one - other) as [
      number,
      number,
      number,
      number,
      number,
    ];
    const all: Wrapper[] = [
      { name: names[0], from: a, to: d },
      { name: names[1], from: b, to: c },
      { name: names[2], from: d, to: e },
    ];
    return all.filter(({ from, to }) => from < to).slice(0, count);
  });

const pieces = ['Acme', 'by', 'caf&eacute;', '2024', 'na&iuml;ve', 'and', 'Ωmega', '👩‍💻'];

const inlineText = (things: string[], { isFlat = false } = {}): fc.Arbitrary<InlineText> =>
  fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 6 }).chain((words) =>
    fc.record({
      words: fc.constant(words),
      seams: fc.array(fc.constantFrom(...between), {
        minLength: words.length + 1,
        maxLength: words.length + 1,
      }),
      word: fc.nat(words.length),
      things: fc.array(fc.record({ at: fc.nat(60), source: fc.constantFrom(...things) }), {
        maxLength: 5,
      }),
      wrappers: isFlat ? fc.constant([]) : wrappers,
    }),
  );

/** A source, and where its word begins and ends. */
interface WordSource {
  source: string;
  from: number;
  to: number;
}

/** A text's characters and character references. */
const charactersOf = (text: string) => text.match(/&#?\w+;?|[^]/gu) ?? [];

function build(
  { words, seams, word, things, wrappers: around }: InlineText,
  [open, close]: [string, string],
) {
  const all = words.toSpliced(word, 0, WORD);
  const characters = all.flatMap((one, i) => [
    ...charactersOf(one).map((character) => ({ character, isWord: i === word })),
    ...charactersOf(i < all.length - 1 ? seams[i]! : '').map((character) => ({
      character,
      isWord: false,
    })),
  ]);
  const built: WordSource = { source: open, from: -1, to: -1 };
  const cut = (at: number) => Math.min(at, characters.length);
  const place = (at: number) => {
    for (const { name } of around
      .toReversed()
      .filter(({ from, to }) => from < cut(to) && cut(to) === at))
      built.source += `</${name}>`;
    for (const thing of things) if (cut(thing.at) === at) built.source += thing.source;
    for (const { name, from, to } of around)
      if (from === at && from < cut(to)) built.source += `<${name}>`;
  };
  for (const [i, { character, isWord }] of characters.entries()) {
    place(i);
    if (isWord && built.from < 0) built.from = built.source.length;
    built.source += character;
    if (isWord) built.to = built.source.length;
  }
  place(characters.length);
  built.source += close;
  return built;
}

/** Replaces the word as a prompt does: in every text of the page. */
function replaceWord(source: string): string {
  const { slots } = html.calls.read({ path, source });
  const texts = slots.flatMap((slot): [string, string][] => {
    const edits = findWords(plainText(slot.text), WORD).map((span) => ({
      ...span,
      text: NEW_WORD,
    }));
    return edits.length === 0 ? [] : [[slot.id, replaceInSlot(slot, edits)]];
  });
  expect(texts, source).to.have.length(1);
  return html.calls.setTexts({ path, source }, Object.fromEntries(texts));
}

/** Replaces the word as the editor does: in the texts between marks. */
function editWord(source: string): string {
  const { texts } = html.calls.readTexts({ path, source });
  const edited = texts.flatMap(({ id, texts: own }): [string, string[]][] => {
    const now = own.map((text) => text.replace(WORD, NEW_WORD));
    return now.join() === own.join() ? [] : [[id, now]];
  });
  expect(edited, source).to.have.length(1);
  return html.calls.setEditedTexts({ path, source }, Object.fromEntries(edited));
}

/** Gives the slot a new text without marks, as language models and `set the text` do. */
function setWhole(source: string): string {
  const { slots } = html.calls.read({ path, source });
  const slot = slots.find(({ text }) => plainText(text).includes(WORD))!;
  const text = addInlineParts(slot, plainText(slot.text).replace(WORD, NEW_WORD));
  return html.calls.setTexts({ path, source }, { [slot.id]: text });
}

const tagsIn = (source: string) => source.match(/<!--.*?-->|<[a-z/?!][^>]*>/gis) ?? [];

/** Expects that only the bytes of the word changed, and that what is inside of it stayed. */
function expectInPlace(after: string, { source, from, to }: WordSource) {
  const inside = source.slice(from, to);
  const head = source.slice(0, from);
  const tail = source.slice(to);
  expect(after.slice(0, head.length), source).to.equal(head);
  expect(after.slice(after.length - tail.length), source).to.equal(tail);
  const now = after.slice(head.length, after.length - tail.length);
  expect(tagsIn(now).join(''), source).to.equal(tagsIn(inside).join(''));
  const isWhole = tagsIn(inside).length === 0;
  if (isWhole) expect(now, source).to.equal(NEW_WORD);
}

describe('a replaced word in a text', () => {
  const inText = inlineText([...hidden, ...atoms]);

  it('leaves every other byte, whatever is in the text', () => {
    fc.assert(
      fc.property(inText, (text) => {
        // an atom in the middle of a word makes two words of it
        const own = build(text, ['<p>One ', ' end</p>']);
        fc.pre(!atoms.some((atom) => own.source.slice(own.from, own.to).includes(atom)));
        expectInPlace(replaceWord(own.source), own);
      }),
      { numRuns: casesOf(1_000) },
    );
  });

  it('leaves every other byte in texts with nested parts', () => {
    const around: [string, string][] = [
      ['<p>One <b>two ', ' end</b></p>'],
      ['<h2>One <a href="/x"><em>two</em> ', '</a> &ndash; end</h2>'],
      ['<li>One <b><i><u>', '</u></i> end</b></li>'],
      ['<p>One <b><!-- a -->', '<!-- b --></b> end</p>'],
      ['<p>One <em>two</em><b> ', ' </b><em>end</em></p>'],
    ];
    fc.assert(
      fc.property(
        inlineText(hidden, { isFlat: true }),
        fc.constantFrom(...around),
        (text, ends) => {
          const own = build(text, ends);
          expectInPlace(replaceWord(own.source), own);
        },
      ),
      { numRuns: casesOf(1_000) },
    );
  });

  it('leaves every other byte if the editor or a whole new text replaces it', () => {
    fc.assert(
      fc.property(inlineText(hidden, { isFlat: true }), (text) => {
        const own = build(text, ['<p>\n  One <b>two</b> ', '\n</p>']);
        expectInPlace(editWord(own.source), own);
        expectInPlace(setWhole(own.source), own);
      }),
      { numRuns: casesOf(500) },
    );
  });

  it('is a phrase without the line breaks of the old one, whatever letters both share', () => {
    const set = (source: string, text: string) => {
      const page = { path, source };
      const [slot] = html.calls.read(page).slots;
      return html.calls.setTexts(page, { [slot!.id]: addInlineParts(slot!, text) });
    };
    const old = '<h1>  Old\n  headline </h1>';
    for (const text of ['Typed long ago', 'Pasted line', 'Olive grove', 'New wine'])
      expect(set(old, text)).to.equal(`<h1>  ${text} </h1>`);
    expect(set(old, 'Old heading')).to.equal('<h1>  Old\n  heading </h1>');
  });

  it('leaves references in titles, attributes and structured data', () => {
    const ends: [string, string][] = [
      ['<title>One ', ' end</title>'],
      ['<title>\n  One ', ' end\n</title>'],
      ["<img alt=\"One 'two' &quot;", ' end">'],
      ['<img alt=\'One "two" &#39;', " end'>"],
      ['<meta name=description content="  One ', ' end ">'],
      ['<svg><text>One ', ' end</text></svg>'],
    ];
    fc.assert(
      fc.property(inlineText([''], { isFlat: true }), fc.constantFrom(...ends), (text, around) => {
        const own = build(text, around);
        expectInPlace(replaceWord(own.source), own);
      }),
      { numRuns: casesOf(500) },
    );
    const json = String.raw`<script type="application/ld+json">{"name":"Caf\u00e9 \/ ${WORD} \u2013 \ud83d\ude00"}</script>`;
    expect(replaceWord(json)).to.equal(json.replace(WORD, NEW_WORD));
  });
});
