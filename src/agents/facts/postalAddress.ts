import { defined } from '../../contract/defined.ts';
import { withoutEnd } from '../../contract/text.ts';
import { foldWords } from '../text/fold.ts';
import { countryCode } from './countries.ts';
import type { Fact } from './findFacts.ts';

/** The parts of an address that a context names by keys of their own. */
export type AddressParts = Partial<
  Record<'street' | 'line2' | 'locality' | 'region' | 'postalCode' | 'country', string>
>;

/** The postal address of a context: one value, and the parts that structured data may have. */
export interface GivenAddress {
  line: string;
  parts: AddressParts & { street: string };
  /** Whether the context names the street and the postal code by keys of their own. */
  isInParts: boolean;
}

/**
 * The address of a context as one line. Parts with keys of their own are added to a line that lacks
 * them.
 * @param lines values of the address's key
 * @param keyed values of the keys of parts. `dialled`: the country of the telephone number
 * @returns null if there is no street
 */
export function givenAddress(
  lines: string[],
  { dialled, ...keyed }: AddressParts & { dialled?: string },
): GivenAddress | null {
  // the full stop of a sentence: `at 7 Trafalgar Street, Brighton BN1 4EQ.`
  const line = withoutEnd(lines.join(', '), '., ') || (keyed.street ?? '');
  if (line === '') return null;
  const known = withMissing(line, keyed.line2);
  const isStreet = lines.length === 0 || !line.includes(',');
  const whole = isStreet ? withTown(known, keyed) : known;
  const [first = line, second] = line.split(/,\s*/);
  const street =
    keyed.street ?? (/\d/.test(first) || second === undefined ? first : `${first}, ${second}`);
  const country = keyed.country ?? countryIn(whole) ?? dialled;
  const parts = { ...keyed, ...defined({ country }), street: withMissing(street, keyed.line2) };
  return { line: whole, parts, isInParts: keyed.postalCode !== undefined };
}

/** Countries by the form of the postal code at the end of an address. */
const FORMS: [RegExp, string][] = [
  [/(?<![\p{L}\p{N}])[A-Z]\d[A-Z]\s?\d[A-Z]\d$/u, 'CA'],
  [/(?<![\p{L}\p{N}])[A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2}$/u, 'GB'],
  [/\b[A-Z]{2}\s\d{5}(?:-\d{4})?$/u, 'US'],
  [/\b\d{4}-\d{3}\s\p{Lu}[\p{L}\s]*$/u, 'PT'],
  [/(?:stra(?:ß|ss)e|str\.|gasse|allee|platz|weg|damm|ufer)\s\d[^,]*,\s\d{5}\s\p{L}+$/iu, 'DE'],
];

/** The country at the end of an address, by its name or by the postal code's form. */
const countryIn = (line: string): string | undefined =>
  countryCode(/,\s*(\p{L}[\p{L}. ]{2,}|UK)$/u.exec(line)?.[1] ?? '') ??
  FORMS.find(([form]) => form.test(line))?.[1];

const says = (line: string, part: string) =>
  ` ${foldWords(line)} `.includes(` ${foldWords(part)} `);

const withMissing = (line: string, part: string | undefined) =>
  part === undefined || says(line, part) ? line : `${line}, ${part}`;

/** Adds the town and the postal code to a line that is only the street. */
function withTown(line: string, { locality = '', region, postalCode }: AddressParts): string {
  if (postalCode !== undefined && says(line, postalCode)) return line;
  const isBehind = region !== undefined || /^\p{L}/u.test(postalCode ?? '');
  const behind = [region, postalCode].filter((part) => part !== undefined).join(' ');
  const town = isBehind
    ? [locality, behind].join(region === undefined ? ' ' : ', ')
    : [postalCode, locality].join(' ');
  return withMissing(line, town.trim() || undefined);
}

const LEAF =
  /\.?(streetAddress|addressLocality|addressRegion|postalCode|addressCountry)(?:\.name)?$/;
const LEAVES = {
  streetAddress: 'street',
  addressLocality: 'locality',
  addressRegion: 'region',
  postalCode: 'postalCode',
  addressCountry: 'country',
} as const;

/**
 * Replaces the page's first address wherever it stands, also where only its street or its town
 * does. Other addresses stay.
 * @param facts the page's facts of the kind `address`
 */
export function matchAddresses(facts: Fact[], given: GivenAddress | null): Map<Fact, string> {
  const replaced = new Map<Fact, string>();
  if (!given) return replaced;
  const [data, visible] = [true, false].map((isData) =>
    facts.filter(({ slot }) => (slot.role === 'structured-data') === isData),
  ) as [Fact[], Fact[]];
  const blocks = [...Map.groupBy(visible, ({ slot }) => slot).values()];
  const own = wordsOf((blocks[0] ?? data).slice(0, MOST_PARTS));
  const whole = blocks
    .map(wordsOf)
    .filter((words) => isPart(own, words))
    .concat([own]);
  const isOwn = (words: Set<string>) =>
    whole.some((all) => isPart(words, all) || isPart(all, words));
  for (const block of blocks.filter((own) => isOwn(wordsOf(own))))
    for (const [fact, text] of textsIn(block, given)) replaced.set(fact, text);
  for (const group of Map.groupBy(data, placeOf).values()) {
    const street = group.filter(({ slot }) => !/(?:Region|Country|\.name)$/.test(slot.jsonPath!));
    if (blocks.length > 0 && !isOwn(wordsOf(street))) continue;
    for (const fact of group) {
      replaced.set(fact, leafText(fact, given));
    }
  }
  return replaced;
}

/** An address in structured data has at most so many parts. */
const MOST_PARTS = 5;

const wordsOf = (facts: Fact[]) => new Set(facts.flatMap(({ text }) => foldWords(text).split(' ')));
const isPart = (part: Set<string>, whole: Set<string>) => part.size > 0 && part.isSubsetOf(whole);
const placeOf = ({ slot }: Fact) => `${slot.id.split('.')[0]} ${slot.jsonPath!.replace(LEAF, '')}`;

/** The new texts of an address in one text: as a whole, or its street and its town's line. */
function textsIn(block: Fact[], { line, parts: { street } }: GivenAddress): [Fact, string][] {
  const town = line.startsWith(`${street}, `) ? line.slice(street.length + 2) : undefined;
  const [first, second, ...others] = block as [Fact, Fact?, ...Fact[]];
  if (second)
    return town === undefined || others.length > 0
      ? []
      : [
          [first, street],
          [second, town],
        ];
  const isTown =
    !/\d/.test(first.text.split(',')[0]!) || /^\d{4,5}(?:-\d{3})?\s\p{Lu}\p{L}*$/u.test(first.text);
  const isStreet = !/,|\s\d{4}\S*\s+\p{Lu}/u.test(first.text);
  const text = isTown ? town : isStreet ? street : line;
  return text === undefined ? [] : [[first, text]];
}

/**
 * The new text of a part in structured data. The street has the whole address if the context does
 * not name its parts; then those that are not known are removed.
 */
function leafText({ slot, text }: Fact, { line, parts, isInParts }: GivenAddress): string {
  const [, name] = LEAF.exec(slot.jsonPath!) ?? [];
  if (name === undefined || (name === 'streetAddress' && !isInParts)) return line;
  const value = parts[LEAVES[name as keyof typeof LEAVES]] ?? '';
  if (name !== 'addressCountry') return value;
  const code = countryCode(value) ?? '';
  return /^[A-Z]{2}$/.test(text) ? code : value === code ? '' : value;
}
