import { fold } from '../text/fold.ts';

/** Languages whose names of countries are understood. */
const LANGUAGES = ['en', 'de', 'fr', 'es', 'pt', 'it', 'nl', 'pl', 'sv', 'da'];
const OTHERS: Record<string, string> = {
  usa: 'US',
  uk: 'GB',
  england: 'GB',
  scotland: 'GB',
  wales: 'GB',
  holland: 'NL',
};
const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
/** Country codes in use today. Retired codes are left out: `FX` is now `FR`. */
const CODES = LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).filter(
  (code) => Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`,
);

const namesIn = (language: string) =>
  new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });

let known: Map<string, string> | undefined;
function knownNames(): Map<string, string> {
  const names = LANGUAGES.map(namesIn);
  return new Map([
    ...CODES.flatMap((code) =>
      names.flatMap((name) => (name.of(code) ? [[fold(name.of(code)!), code] as const] : [])),
    ),
    ...Object.entries(OTHERS),
  ]);
}

/**
 * ISO 3166-1 code of a country's code or name (`DE`, `Germany`, `Deutschland`, `U.S.A.`); null for
 * anything else.
 */
export function countryCode(text: string): string | null {
  const name = fold(text.replaceAll('.', '').trim());
  const code = name.toUpperCase();
  if (/^[A-Z]{2}$/.test(code) && code !== 'UK') return namesIn('en').of(code) ? code : null;
  return (known ??= knownNames()).get(name) ?? null;
}
