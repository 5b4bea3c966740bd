import { expect } from 'chai';
import { resultOrNull } from '../../../../../src/errors.ts';
import type { PageSource } from '../../../../../src/sites/formats/format.ts';
import { followWords } from '../../../../../src/sites/formats/markdown/followWords.ts';
import { markdown } from '../../../../../src/sites/formats/markdown/markdown.ts';
import { parseMarkdown } from '../../../../../src/sites/formats/markdown/parseMarkdown.ts';

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

/** Texts for whole lines. Most of them mean something at the start or the end of a line. */
const lineTexts = [
  ...phrases,
  'Lisbon',
  'São Paulo & more',
  'Q. e. d.: 50 % (or 60)',
  '中文',
  'e\u0301',
  'Important',
  'import x',
  'export',
  'www.x.example',
  'a@b.example',
  'a: //b',
  'HTTP://x.example',
  'v ',
  '',
  '---',
  '===',
  '| - |',
  ':-',
  '[^1]',
  '[x]: /y',
  'x  ',
  'x\\',
  'C #',
  '&amp;',
  '2)',
  '+++',
  '\r',
  '\t',
  '\u00A0x',
  '\u2028',
  '\uE000',
  '<a>',
  '{x}',
  '<!--',
  '::n',
  ':::n',
  '~~~',
  '```',
];

/**
 * Writes such texts in one or two lines of a page, and compares the tree that `followWords` makes
 * of the page with the one that the parser makes.
 * @returns whether `followWords` made one
 */
export function followAtRandom({ path, source }: PageSource, random: () => number): boolean {
  const base = resultOrNull(() => parseMarkdown(path, source));
  const lines = source.split('\n');
  for (let edits = 1 + Math.floor(random() * 2); edits > 0; edits--) {
    const at = Math.floor(random() * lines.length);
    const text = lineTexts[Math.floor(random() * lineTexts.length)]!;
    const pattern = [/\p{L}+/u, /[\p{L}\p{N} ,.]+$/u, /\p{L}.*$/u, /^/][Math.floor(random() * 4)]!;
    lines[at] = lines[at]!.replace(pattern, () => text);
  }
  const edited = lines.join('\n').replace(/^title: .*/m, '$& and more\nkey: value');
  const page = resultOrNull(() => parseMarkdown(path, edited));
  const tree = base && followWords(base, page?.masked ?? edited);
  if (tree) expect(withOffsets(tree), edited).to.deep.equal(withOffsets(page?.tree));
  return Boolean(tree);
}

/** A tree without the lines and columns of its positions. */
export const withOffsets = (tree: unknown): unknown =>
  JSON.parse(
    JSON.stringify(tree ?? null, (key, value: unknown) =>
      key === 'line' || key === 'column' ? undefined : value,
    ),
  );
