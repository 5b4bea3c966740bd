import { normalizeText } from '../contract/normalizeText.ts';
import { wordSet } from './wordLists.ts';

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
const CODES = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));
/** Languages with the country or script in their names, such as `Brazilian Portuguese`. */
const VARIANTS = wordSet(`
  en-GB en-US en-AU en-CA pt-BR pt-PT fr-CA fr-CH es-MX es-419 de-AT de-CH nl-BE zh-Hans zh-Hant`);

const languageNamesIn = (language: string, languageDisplay: 'dialect' | 'standard' = 'dialect') =>
  new Intl.DisplayNames([language], { type: 'language', fallback: 'none', languageDisplay });

let cachedNames: Map<string, string> | undefined;
function readLanguageNames(): Map<string, string> {
  const english = languageNamesIn('en');
  const names = [
    english,
    languageNamesIn('en', 'standard'),
    languageNamesIn('de'),
    languageNamesIn('de', 'standard'),
  ];
  const tags = [...CODES.filter((code) => english.of(code)), ...VARIANTS];
  const allNames = tags.flatMap((tag) =>
    [...names, languageNamesIn(tag)].flatMap((displayNames): [string, string][] => {
      const name = displayNames.of(tag);
      return name ? [[foldAccents(name), tag]] : [];
    }),
  );
  return new Map(allNames.toReversed());
}

/**
 * The BCP 47 tag for a language's tag or name: `de`, `pt_br`, `German`, `Deutsch`, `English (UK)`.
 * @returns the canonical tag; null if the text is no language
 */
export function languageTag(text: string): string | null {
  const name = foldAccents(text.trim());
  return tagOfCode(name) ?? tagByName(name) ?? tagByName(name.replace('(uk)', '(united kingdom)'));
}

const tagByName = (name: string) => (cachedNames ??= readLanguageNames()).get(name) ?? null;

function tagOfCode(text: string): string | null {
  if (!/^[a-z]{2,3}(?:[-_][a-z\d]{2,8}){0,3}$/.test(text)) return null;
  try {
    const locale = new Intl.Locale(text.replaceAll('_', '-'));
    return languageNamesIn('en').of(locale.language) === undefined ? null : locale.toString();
  } catch {
    return null;
  }
}

const foldAccents = (text: string) =>
  normalizeText(text, 'NFD').replace(/\p{M}/gu, '').toLowerCase();
