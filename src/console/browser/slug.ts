import { normalizeText } from '../../contract/normalizeText.ts';
import transliterate from '@sindresorhus/transliterate';

const SLUG_LENGTH = 200;
/** The most characters of a cell that are read for an address. */
const NAME_LENGTH = 300;

/** Languages whose addresses drop the two dots above a vowel. The others write `ae`, `oe`, `ue`. */
const plainVowels = new Set([
  'az',
  'ca',
  'es',
  'et',
  'eu',
  'fi',
  'fr',
  'gl',
  'it',
  'nl',
  'oc',
  'pt',
]);
const withoutDots: [string, string][] = [...'äaöoüuÄAÖOÜU'.matchAll(/../gu)].map(
  ([[from, to] = '']) => [from!, to!],
);

/**
 * A text in lower-case letters for addresses, as its language spells them: `muenchen` for München,
 * `malmo` for Malmö.
 */
function lettersOf(text: string, language = ''): string {
  const [primary = ''] = language.toLowerCase().split(/[-_]/);
  const customReplacements = plainVowels.has(primary) ? withoutDots : [];
  const latin = transliterate(normalizeText(text, 'NFKC'), {
    customReplacements,
    ...(primary && { locale: primary }),
  });
  return normalizeText(normalizeText(latin, 'NFKD').replace(/\p{M}/gu, ''), 'NFC').toLowerCase();
}

/** A segment of an address: letters and numbers, with hyphens between the words. */
export function wordOf(text: string, language?: string): string {
  const word = lettersOf(text.slice(0, NAME_LENGTH), language)
    .replace(/['’ʼ]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, '-');
  return word.slice(word.startsWith('-') ? 1 : 0, word.endsWith('-') ? -1 : undefined);
}

/**
 * The address of a page about something, in the template's folder; '' if the text has no letters
 * and numbers.
 */
export function slugOf(value: string, template: string, language?: string): string {
  const folder = template.slice(0, template.lastIndexOf('/') + 1) || '/';
  const word = wordOf(value, language);
  return word === '' ? '' : cut(folder + word, SLUG_LENGTH);
}

/** A numbered address for the second, third … page that would have the same one: `/lisbon-2`. */
export const countedSlug = (slug: string, count: number) => {
  const end = `-${count}`;
  return cut(slug, SLUG_LENGTH - end.length) + end;
};

/** Cuts an address, and leaves no half of a character and no hyphen at its end. */
const cut = (slug: string, length: number) =>
  slug.length <= length ? slug : slug.slice(0, length).replace(/(?:\p{Cs}|-)$/u, '');
