import { normalizeText } from '../../../contract/normalizeText.ts';
import transliterate from '@sindresorhus/transliterate';

const SLUG_LENGTH = 200;
/** The most characters of a cell that are read for an address. */
const NAME_LENGTH = 300;

/** Languages in whose addresses `ä`, `ö`, `ü` become `a`, `o`, `u`, and not `ae`, `oe`, `ue`. */
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
const umlautReplacements: [string, string][] = [...'äaöoüuÄAÖOÜU'.matchAll(/../gu)].map(
  ([[letter, replacement] = '']) => [letter!, replacement!],
);

/**
 * A text in lower-case letters for addresses, as its language spells them: `muenchen` for München
 * in German, `malmo` for Malmö in Swedish.
 */
function slugLetters(text: string, language = ''): string {
  const [primaryLanguage = ''] = language.toLowerCase().split(/[-_]/);
  const customReplacements = plainVowels.has(primaryLanguage) ? umlautReplacements : [];
  const latinText = transliterate(normalizeText(text, 'NFKC'), {
    customReplacements,
    ...(primaryLanguage && { locale: primaryLanguage }),
  });
  return normalizeText(
    normalizeText(latinText, 'NFKD').replace(/\p{M}/gu, ''),
    'NFC',
  ).toLowerCase();
}

/** A segment of an address: letters and numbers, with hyphens between the words. */
export function slugWord(text: string, language?: string): string {
  const hyphenatedText = slugLetters(text.slice(0, NAME_LENGTH), language)
    .replace(/['’ʼ]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, '-');
  return hyphenatedText.slice(
    hyphenatedText.startsWith('-') ? 1 : 0,
    hyphenatedText.endsWith('-') ? -1 : undefined,
  );
}

/**
 * The address of a page about something, in the template's folder: `Lisbon` and the template
 * `/locations/austin` → `/locations/lisbon`. '' if the text has no letters and numbers.
 */
export function slugForName(value: string, template: string, language?: string): string {
  const folder = template.slice(0, template.lastIndexOf('/') + 1) || '/';
  const wordPart = slugWord(value, language);
  return wordPart === '' ? '' : cutSlug(folder + wordPart, SLUG_LENGTH);
}

/** An address with a number, for the second or a later page of the same name: `/lisbon-2`. */
export const numberedSlug = (slug: string, count: number) => {
  const numberSuffix = `-${count}`;
  return cutSlug(slug, SLUG_LENGTH - numberSuffix.length) + numberSuffix;
};

/** Cuts an address. Removes half of a character, or a hyphen, at its new end. */
const cutSlug = (slug: string, length: number) =>
  slug.length <= length ? slug : slug.slice(0, length).replace(/(?:\p{Cs}|-)$/u, '');
