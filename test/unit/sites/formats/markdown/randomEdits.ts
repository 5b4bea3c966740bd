import { expect } from 'chai';
import type { PageSource } from '../../../../../src/sites/formats/format.ts';
import { markdown } from '../../../../../src/sites/formats/markdown/markdown.ts';

const { calls } = markdown;

/** A generator of random numbers with a fixed seed. */
export const createRandom = (seed: number) => () =>
  (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;

/** Texts that mean something in Markdown, or in a template. */
export const phrases = [
  'Lisbon',
  'a*b*',
  '50% & more',
  '1. first',
  '# no',
  'C++ <b>',
  '[x](y)',
  'über_all_',
  '- dash',
  'https://x.example',
  'a | b',
  '`tick`',
  '{{ v }}',
  '~~no~~',
  '+ plus',
];

/** Writes all texts of a page as they are. @throws if a byte of its source changes */
export function expectSameBytes(page: PageSource): void {
  const { slots } = calls.read(page);
  const sameTexts = Object.fromEntries(slots.map(({ id, text }) => [id, text]));
  expect(calls.setTexts(page, sameTexts), page.path).to.equal(page.source);
}

/**
 * Replaces a word of one of a page's texts with a phrase that means something in Markdown.
 * @throws if the page does not have the new text then, or if another text changed
 */
export function editAtRandom(page: PageSource, random: () => number): 'edited' | 'refused' | null {
  const { slots } = calls.read(page);
  const slot = slots[Math.floor(random() * slots.length)];
  const phrase = phrases[Math.floor(random() * phrases.length)]!;
  if (!slot || !/[a-z]{3}/i.test(slot.text)) return null;
  const text = slot.text.replace(/[a-z]{3,}/i, phrase);
  let source: string;
  try {
    source = calls.setTexts(page, { [slot.id]: text });
  } catch (error) {
    expect(error).to.have.property('code', 'INVALID_INPUT');
    return 'refused';
  }
  expect(calls.read({ ...page, source }).slots.map((one) => one.text)).to.deep.equal(
    slots.map((one) => (one.id === slot.id ? text : one.text)),
  );
  return 'edited';
}
