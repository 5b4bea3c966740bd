import { expect } from 'chai';
import fc from 'fast-check';
import { fitText } from '../../../../../src/agents/shared/text/fitText.ts';
import { escapeMarks } from '../../../../../src/sites/pages/texts/slotText.ts';
import {
  parseMarks,
  listPartNumbers,
  plainText,
} from '../../../../../src/agents/shared/text/parseMarks.ts';
import { replaceInSlot } from '../../../../../src/agents/shared/text/replaceInSlot.ts';
import { findWords } from '../../../../../src/agents/shared/text/textSpans.ts';

const cases: [string, string[], string, string][] = [
  ['Web design in <1>Austin</1>', ['em'], 'Web design in Lisbon', 'Web design in <1>Lisbon</1>'],
  ['Web design in <1>Austin</1>.', ['em'], 'Web design in Lisbon.', 'Web design in <1>Lisbon</1>.'],
  [
    '<1>Web design</1> in Austin',
    ['b'],
    'In Lisbon we do web design',
    'In Lisbon we do <1>web design</1>',
  ],
  ['<1>Read more</1>', ['a'], 'See how', '<1>See how</1>'],
  ['Read about <1>our process</1>.', ['a'], 'How we work.', 'How we work. <1>our process</1>'],
  [
    'Call <1>us</1> <2>today</2><3/>',
    ['a', 'b', 'br'],
    'Call us now',
    'Call <1>us</1> <2>now</2><3/>',
  ],
  ['Web design<1/>in Austin', ['br'], 'Web design in Lisbon', 'Web design <1/>in Lisbon'],
  ['<1></1> Call us', ['i'], 'Call them', '<1></1>Call them'],
  ['Grow with <1>confidence</1>', ['span'], 'Sell more in Lisbon', 'Sell more in <1>Lisbon</1>'],
  ['<1>Our <2>best</2> work</1>', ['a', 'b'], 'Their best work', '<1>Their <2>best</2> work</1>'],
  ['Plain', [], 'A <1> and \\', 'A \\<1> and \\'],
  ['Grow with <1>confidence</1>', ['span'], '', '<1></1>'],
];

/** Marked texts of a few words with properly nested parts, numbered in document order. */
const marked = fc
  .array(
    fc.record({
      word: fc.constantFrom('web', 'design', 'in', 'Austin', 'é'),
      part: fc.constantFrom('none', 'part', 'nested', 'void'),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((pieces) => {
    let n = 0;
    const text = pieces.map(({ word, part }) => {
      if (part === 'part') return `<${++n}>${word}</${n}>`;
      if (part === 'void') return `<${++n}/>${word}`;
      if (part === 'nested') return `<${++n}>${word} <${++n}>x</${n}></${n - 1}>`;
      return word;
    });
    return {
      text: text.join(' '),
      parts: Array.from({ length: n }, (_, i) => (i % 2 ? 'a' : 'b')),
    };
  });

describe('fitText', () => {
  for (const [old, parts, plain, expected] of cases) {
    it(`${old} | ${plain} -> ${expected}`, () =>
      expect(fitText(old, parts, plain)).to.equal(expected));
  }

  it('keeps every part once, properly nested, and shows the whole new text', () => {
    fc.assert(
      fc.property(
        marked,
        fc.oneof(fc.string(), fc.lorem({ maxCount: 8 })),
        ({ text, parts }, plain) => {
          const nodes = parseMarks(fitText(text, parts, plain));
          expect(nodes).not.to.equal(null);
          expect(listPartNumbers(nodes!).sort((a, b) => a - b)).to.deep.equal(
            parts.map((_, i) => i + 1),
          );
          const shown = plainText(fitText(text, parts, plain)).replaceAll('\n', '');
          expect(shown.startsWith(plain.replaceAll('\n', ''))).to.equal(true);
        },
      ),
    );
  });

  it('reads back what it escapes', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('<', '>', '/', '1', '\\', 'a') }), (text) => {
        expect(plainText(escapeMarks(text))).to.equal(text);
      }),
    );
  });

  it('fits a text of the greatest length within the deadline of a test', () => {
    for (const slot of ['one <1>two</1> three', `${'one '.repeat(5_000)}<1>two</1>`]) {
      const text = fitText(slot, ['b'], 'word '.repeat(20_000));
      expect(plainText(text)).to.match(/^word word /);
    }
  });
});

describe('replaceInSlot', () => {
  const replace = (text: string, parts: string[], from: string, to: string) =>
    replaceInSlot(
      { text, parts },
      findWords(plainText(text), from).map((span) => ({ ...span, text: to })),
    );

  it('leaves parts where they are', () => {
    expect(
      replace('In <1>Austin</1>, Austin <2/>\\<3> Austin', ['b', 'br'], 'Austin', 'Lisbon'),
    ).to.equal('In <1>Lisbon</1>, Lisbon <2/>\\<3> Lisbon');
  });

  const crossing: [text: string, parts: string[], from: string, to: string, expected: string][] = [
    [
      'Copyright <1>Acme</1> Bakery',
      ['b'],
      'Acme Bakery',
      'Northlight',
      'Copyright <1>Northlight</1>',
    ],
    [
      'Call <1></1> our office now',
      ['i'],
      'Call our office',
      'Ring the front desk',
      'Ring <1></1> the front desk now',
    ],
    ['Call <1></1> our office', ['i'], 'Call our office', 'Visit', '<1></1> Visit'],
    [
      'By Acme <1>Bakery</1>, here',
      ['a'],
      'Acme Bakery',
      'Northlight',
      'By <1>Northlight</1>, here',
    ],
    ['Acme<1/>Bakery here', ['br'], 'Acme Bakery', 'North Light', 'North<1/>Light here'],
    ['Acme <1>Bakery & Co</1>', ['b'], 'Acme Bakery', 'North', '<1>North & Co</1>'],
    [
      '<1>Ann</1> and <2>Bob</2>',
      ['a', 'a'],
      'Ann and Bob',
      'Eve and Tom',
      '<1>Eve</1> and <2>Tom</2>',
    ],
    ['<1>Ann</1> and <2>Bob</2>', ['a', 'a'], 'Ann and Bob', 'Eve', 'Eve <1>Ann</1> <2>Bob</2>'],
    ['A\u00a0b <1>c</1> d\u00a0e', ['b'], 'b c', 'x', 'A\u00a0<1>x</1> d\u00a0e'],
  ];
  for (const [text, parts, from, to, expected] of crossing)
    it(`replaces "${from}" in ${text}`, () => {
      expect(replace(text, parts, from, to)).to.equal(expected);
    });

  it("fits the whole text again if the text crosses a part's edge", () => {
    expect(
      replace('Our <1>web</1> design<2/>in Austin', ['b', 'br'], 'web design', 'brand work'),
    ).to.equal('Our <1>brand</1> work<2/>in Austin');
  });
});
