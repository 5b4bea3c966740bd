import { phrases, wordSet } from '../../text/wordLists.ts';
import type { Slot } from '../../sites/formats/page.ts';
import { plainText } from '../text/marks.ts';
import type { Span } from '../text/spans.ts';

const STATES = [
  ...wordSet(`
    Alabama AL Alaska AK Arizona AZ Arkansas AR California CA Colorado CO Connecticut CT Delaware
    DE Florida FL Georgia GA Hawaii HI Idaho ID Illinois IL Indiana IN Iowa IA Kansas KS Kentucky
    KY Louisiana LA Maine ME Maryland MD Massachusetts MA Michigan MI Minnesota MN Mississippi MS
    Missouri MO Montana MT Nebraska NE Nevada NV Ohio OH Oklahoma OK Oregon OR Pennsylvania PA
    Tennessee TN Texas TX Utah UT Vermont VT Virginia VA Washington WA Wisconsin WI Wyoming WY USA
    UK England Scotland Wales Ireland Canada Germany France Spain Portugal Italy Austria
    Switzerland Netherlands Belgium Denmark Sweden Norway Finland Poland Brazil Mexico Australia`),
];
const LONG_STATES = phrases(`
  New Hampshire | New Jersey | New Mexico | New York | North Carolina | North Dakota |
  Rhode Island | South Carolina | South Dakota | West Virginia | New Zealand | United States |
  United Kingdom`);

const US = STATES.slice(0, STATES.indexOf('USA')).filter((name) => /^[A-Z]{2}$/.test(name));
const US_CODES = new Set([...US, ...wordSet('NH NJ NM NY NC ND RI SC SD WV DC PR')]);
const CANADA_CODES = wordSet('AB BC MB NB NL NS NT NU ON PE QC SK YT');

/** The ISO 3166-1 code of the country of a two-letter state or province. null for other texts. */
export const isStateOf = (region: string): 'US' | 'CA' | null =>
  US_CODES.has(region) ? 'US' : CANADA_CODES.has(region) ? 'CA' : null;

/** Whether a text is a region's name or code, not a town. */
export const isRegionName = (text: string): boolean =>
  isStateOf(text) !== null ||
  STATES.includes(text) ||
  (LONG_STATES.includes(text) && text !== 'New York');

/** The regions and countries in the template's structured address. */
export const regionsOf = (slots: Slot[]): string[] =>
  slots
    .filter(({ jsonPath }) => /(?:addressRegion|addressCountry(?:\.name)?)$/.test(jsonPath ?? ''))
    .map(({ text }) => plainText(text));

/**
 * Extends the span of a place over the region behind it: `Austin, Texas`. null if no region
 * follows.
 */
export function regionSpan(plain: string, place: Span, own: string[]): Span | null {
  const after = /^,\s+(\p{L}[\p{L}\p{M}.]*(?:\s\p{Lu}[\p{L}\p{M}]*)?)/u.exec(plain.slice(place.to));
  if (!after) return null;
  const words = after[1]!.replaceAll('.', '');
  const known = [...LONG_STATES, ...STATES, ...own].find(
    (region) => region !== '' && (words === region || words.startsWith(`${region} `)),
  );
  if (known === undefined) return null;
  const length =
    after[0].indexOf(after[1]!) +
    (after[1]!.replaceAll('.', '') === after[1] ? known.length : after[1]!.length);
  return { from: place.from, to: place.to + length };
}
