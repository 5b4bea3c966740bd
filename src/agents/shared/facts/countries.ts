import { foldForComparison } from '../text/foldText.ts';

/** Languages whose names of countries are understood. */
const LANGUAGES = ['en', 'de', 'fr', 'es', 'pt', 'it', 'nl', 'pl', 'sv', 'da'];
const OTHER_NAMES: Record<string, string> = {
  usa: 'US',
  uk: 'GB',
  england: 'GB',
  scotland: 'GB',
  wales: 'GB',
  holland: 'NL',
};
const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
/** Country codes in use today. Retired codes are left out: `FX` is now `FR`. */
const COUNTRY_CODES = LETTERS.flatMap((firstLetter) =>
  LETTERS.map((secondLetter) => firstLetter + secondLetter),
).filter((code) => Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`);

const createRegionNames = (language: string) =>
  new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });

let countryNames: Map<string, string> | undefined;
function createCountryNames(): Map<string, string> {
  const namesByLanguage = LANGUAGES.map(createRegionNames);
  return new Map([
    ...COUNTRY_CODES.flatMap((code) =>
      namesByLanguage.flatMap((regionNames) =>
        regionNames.of(code) ? [[foldForComparison(regionNames.of(code)!), code] as const] : [],
      ),
    ),
    ...Object.entries(OTHER_NAMES),
  ]);
}

/**
 * ISO 3166-1 code of a country's code or name (`DE`, `Germany`, `Deutschland`, `U.S.A.`); null for
 * anything else.
 */
export function countryCode(text: string): string | null {
  const name = foldForComparison(text.replaceAll('.', '').trim());
  const code = name.toUpperCase();
  if (/^[A-Z]{2}$/.test(code) && code !== 'UK')
    return createRegionNames('en').of(code) ? code : null;
  return (countryNames ??= createCountryNames()).get(name) ?? null;
}
