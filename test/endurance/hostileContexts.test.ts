// Takes long: 25 contexts of the greatest length, and a hundred of a fifth of it that are read as
// each kind of context. That longer ones take no more than their share is in hostileTexts.test.ts.
import { expect } from 'chai';
import { writePage } from '../../src/agents/rules/page/writePage.ts';
import { parseMarks, partNumbers } from '../../src/agents/text/marks.ts';
import type { Slot } from '../../src/sites/formats/page.ts';

const slot = (id: string, text: string, more: Partial<Slot> = {}): Slot => ({
  id,
  role: 'paragraph',
  section: null,
  text,
  parts: [],
  locked: false,
  ...more,
});
const slots = [
  slot('s0', 'Web design in <1>Austin</1>', { role: 'heading', level: 1, parts: ['a'] }),
  slot('s1', 'Call (512) 555-0142 in Austin <1/> now.', { parts: ['br'] }),
  slot('s2', 'More', { role: 'heading', level: 2 }),
  slot('s3', 'Text.'),
];
const target = '/locations/lisbon';
const partsOf = (text: string) => partNumbers(parseMarks(text) ?? []);

describe('writePage: hostile contexts', () => {
  const pieces = [
    '\\',
    '1(',
    '1.',
    '1 ',
    '+1 ',
    'a@',
    'a.',
    '$1',
    'A ',
    '1 A ',
    'Rua A ',
    'City: ',
    'Headline: x\n',
    'Mon 9',
    '# More\n',
    '<1>',
    'Lisbon. ',
    '12 Elm St ',
    '/a',
    'http://',
    '"',
    "'",
    '* ',
    '"a" ',
    '&a ',
  ];

  for (const piece of pieces) {
    it(`takes ${JSON.stringify(piece)} repeated up to the greatest length, and keeps every part`, () => {
      for (const start of ['', 'Headline: ', '# ', 'More: ', 'Phone: ']) {
        const length = start === '' ? 100_000 : 20_000;
        const context = start + piece.repeat((length - start.length) / piece.length);
        const { texts, notes } = writePage(
          { slug: '/locations/austin', slots },
          { targetPageSlug: target, context },
        );
        expect(notes.every(({ text }) => text.startsWith(`${target}: `))).to.equal(true);
        for (const { id, text } of slots)
          expect(partsOf(texts[id] ?? text), start).to.deep.equal(partsOf(text));
      }
    });
  }
});
