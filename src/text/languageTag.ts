import { normalizeText } from '../contract/normalizeText.ts';
import { wordSet } from './wordLists.ts';

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
const CODES = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));
/** Languages with the country or script in their names, such as `Brazilian Portuguese`. */
const VARIANTS = wordSet(`
  en-GB en-US en-AU en-CA pt-BR pt-PT fr-CA fr-CH es-MX es-419 de-AT de-CH nl-BE zh-Hans zh-Hant`);

const namesIn = (language: string, languageDisplay: 'dialect' | 'standard' = 'dialect') =>
  new Intl.DisplayNames([language], { type: 'language', fallback: 'none', languageDisplay });

let known: Map<string, string> | undefined;
function knownNames(): Map<string, string> {
  const english = namesIn('en');
  const names = [english, namesIn('en', 'standard'), namesIn('de'), namesIn('de', 'standard')];
  const tags = [...CODES.filter((code) => english.of(code)), ...VARIANTS];
  const all = tags.flatMap((tag) =>
    [...names, namesIn(tag)].flatMap((own): [string, string][] => {
      const name = own.of(tag);
      return name ? [[folded(name), tag]] : [];
    }),
  );
  return new Map(all.toReversed());
}

/**
 * The BCP 47 tag for a language's tag or name: `de`, `pt_br`, `German`, `Deutsch`, `English (UK)`.
 * @returns the canonical tag; null if the text is no language
 */
export function languageTag(text: string): string | null {
  const name = folded(text.trim());
  return tagOf(name) ?? knownTag(name) ?? knownTag(name.replace('(uk)', '(united kingdom)'));
}

const knownTag = (name: string) => (known ??= knownNames()).get(name) ?? null;

function tagOf(text: string): string | null {
  if (!/^[a-z]{2,3}(?:[-_][a-z\d]{2,8}){0,3}$/.test(text)) return null;
  try {
    const locale = new Intl.Locale(text.replaceAll('_', '-'));
    return namesIn('en').of(locale.language) === undefined ? null : locale.toString();
  } catch {
    return null;
  }
}

const folded = (text: string) => normalizeText(text, 'NFD').replace(/\p{M}/gu, '').toLowerCase();
