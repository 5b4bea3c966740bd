import { withoutUndefined } from '../../../contract/withoutUndefined.ts';
import { trimEndCharacters } from '../../../contract/text/summaries.ts';
import { foldWords } from '../text/foldText.ts';
import { countryCode } from './countries.ts';
import type { Fact } from './findFacts.ts';

/** The parts of an address that a context names by keys of their own. */
export type AddressParts = Partial<
  Record<'street' | 'line2' | 'locality' | 'region' | 'postalCode' | 'country', string>
>;

/** The postal address of a context: as one line, and in the parts that structured data may have. */
export interface ContextAddress {
  line: string;
  parts: AddressParts & { street: string };
  /** Whether the context names the street and the postal code by keys of their own. */
  isInParts: boolean;
}

/**
 * Reads the postal address of a context: as one line, such as `12 Elm Street, Austin, TX 78701`,
 * and in parts. Parts with keys of their own are added to a line that lacks them. `keyedParts`: the
 * values of these keys. `dialled`: the country of the telephone number.
 * @param lines values of the address's key
 * @returns null if there is no street
 */
export function readPostalAddress(
  lines: string[],
  { dialled, ...keyedParts }: AddressParts & { dialled?: string },
): ContextAddress | null {
  // the full stop of a sentence: `at 7 Trafalgar Street, Brighton BN1 4EQ.`
  const line = trimEndCharacters(lines.join(', '), '., ') || (keyedParts.street ?? '');
  if (line === '') return null;
  const lineWithSecond = appendMissing(line, keyedParts.line2);
  const isStreet = lines.length === 0 || !line.includes(',');
  const wholeLine = isStreet ? appendTown(lineWithSecond, keyedParts) : lineWithSecond;
  const [firstPart = line, secondPart] = line.split(/,\s*/);
  const street =
    keyedParts.street ??
    (/\d/.test(firstPart) || secondPart === undefined ? firstPart : `${firstPart}, ${secondPart}`);
  const country = keyedParts.country ?? findAddressCountry(wholeLine) ?? dialled;
  const parts = {
    ...keyedParts,
    ...withoutUndefined({ country }),
    street: appendMissing(street, keyedParts.line2),
  };
  return { line: wholeLine, parts, isInParts: keyedParts.postalCode !== undefined };
}

/** Countries by the form of the postal code at the end of an address. */
const POSTAL_CODE_FORMS: [RegExp, string][] = [
  [/(?<![\p{L}\p{N}])[A-Z]\d[A-Z]\s?\d[A-Z]\d$/u, 'CA'],
  [/(?<![\p{L}\p{N}])[A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2}$/u, 'GB'],
  [/\b[A-Z]{2}\s\d{5}(?:-\d{4})?$/u, 'US'],
  [/\b\d{4}-\d{3}\s\p{Lu}[\p{L}\s]*$/u, 'PT'],
  [/(?:stra(?:ß|ss)e|str\.|gasse|allee|platz|weg|damm|ufer)\s\d[^,]*,\s\d{5}\s\p{L}+$/iu, 'DE'],
];

/** The country at the end of an address, by its name or by the postal code's form. */
const findAddressCountry = (line: string): string | undefined =>
  countryCode(/,\s*(\p{L}[\p{L}. ]{2,}|UK)$/u.exec(line)?.[1] ?? '') ??
  POSTAL_CODE_FORMS.find(([form]) => form.test(line))?.[1];

const containsWords = (line: string, part: string) =>
  ` ${foldWords(line)} `.includes(` ${foldWords(part)} `);

const appendMissing = (line: string, part: string | undefined) =>
  part === undefined || containsWords(line, part) ? line : `${line}, ${part}`;

/** Adds the town and the postal code to a line that is only the street. */
function appendTown(line: string, { locality = '', region, postalCode }: AddressParts): string {
  if (postalCode !== undefined && containsWords(line, postalCode)) return line;
  const codeFollowsTown = region !== undefined || /^\p{L}/u.test(postalCode ?? '');
  const regionAndCode = [region, postalCode].filter((part) => part !== undefined).join(' ');
  const town = codeFollowsTown
    ? [locality, regionAndCode].join(region === undefined ? ' ' : ', ')
    : [postalCode, locality].join(' ');
  return appendMissing(line, town.trim() || undefined);
}

const ADDRESS_PROPERTY =
  /\.?(streetAddress|addressLocality|addressRegion|postalCode|addressCountry)(?:\.name)?$/;
const ADDRESS_PART_NAMES = {
  streetAddress: 'street',
  addressLocality: 'locality',
  addressRegion: 'region',
  postalCode: 'postalCode',
  addressCountry: 'country',
} as const;

/**
 * Finds the new texts of the page's address: of its first address, wherever it is, even if a text
 * has only its street or its town. Other addresses stay.
 * @param facts the page's facts of the kind `address`
 * @returns the new texts by fact; empty without an `address`
 */
export function matchAddresses(facts: Fact[], address: ContextAddress | null): Map<Fact, string> {
  const replacements = new Map<Fact, string>();
  if (!address) return replacements;
  const [dataFacts, visibleFacts] = [true, false].map((isData) =>
    facts.filter(({ slot }) => (slot.role === 'structured-data') === isData),
  ) as [Fact[], Fact[]];
  const blocks = [...Map.groupBy(visibleFacts, ({ slot }) => slot).values()];
  const own = collectAddressWords((blocks[0] ?? dataFacts).slice(0, MAX_ADDRESS_PARTS));
  const knownWordSets = blocks
    .map(collectAddressWords)
    .filter((words) => isWordSubset(own, words))
    .concat([own]);
  const isPageAddress = (words: Set<string>) =>
    knownWordSets.some((wordSet) => isWordSubset(words, wordSet) || isWordSubset(wordSet, words));
  for (const block of blocks.filter((own) => isPageAddress(collectAddressWords(own))))
    for (const [fact, text] of replaceInBlock(block, address)) replacements.set(fact, text);
  for (const objectFacts of Map.groupBy(dataFacts, dataObjectKey).values()) {
    const street = objectFacts.filter(
      ({ slot }) => !/(?:Region|Country|\.name)$/.test(slot.jsonPath!),
    );
    if (blocks.length > 0 && !isPageAddress(collectAddressWords(street))) continue;
    for (const fact of objectFacts) {
      replacements.set(fact, replaceAddressProperty(fact, address));
    }
  }
  return replacements;
}

/** An address in structured data has at most so many parts. */
const MAX_ADDRESS_PARTS = 5;

const collectAddressWords = (facts: Fact[]) =>
  new Set(facts.flatMap(({ text }) => foldWords(text).split(' ')));
const isWordSubset = (part: Set<string>, whole: Set<string>) =>
  part.size > 0 && part.isSubsetOf(whole);
const dataObjectKey = ({ slot }: Fact) =>
  `${slot.id.split('.')[0]} ${slot.jsonPath!.replace(ADDRESS_PROPERTY, '')}`;

/** The new texts of an address in one text: as a whole, or its street and its town's line. */
function replaceInBlock(
  block: Fact[],
  { line, parts: { street } }: ContextAddress,
): [Fact, string][] {
  const town = line.startsWith(`${street}, `) ? line.slice(street.length + 2) : undefined;
  const [firstFact, secondFact, ...otherFacts] = block as [Fact, Fact?, ...Fact[]];
  if (secondFact)
    return town === undefined || otherFacts.length > 0
      ? []
      : [
          [firstFact, street],
          [secondFact, town],
        ];
  const isTown =
    !/\d/.test(firstFact.text.split(',')[0]!) ||
    /^\d{4,5}(?:-\d{3})?\s\p{Lu}\p{L}*$/u.test(firstFact.text);
  const isStreet = !/,|\s\d{4}\S*\s+\p{Lu}/u.test(firstFact.text);
  const text = isTown ? town : isStreet ? street : line;
  return text === undefined ? [] : [[firstFact, text]];
}

/**
 * The new text of one part of an address in structured data. If the context does not name its
 * parts, the street gets the whole address, and parts that are not known become empty.
 */
function replaceAddressProperty(
  { slot, text }: Fact,
  { line, parts, isInParts }: ContextAddress,
): string {
  const [, name] = ADDRESS_PROPERTY.exec(slot.jsonPath!) ?? [];
  if (name === undefined || (name === 'streetAddress' && !isInParts)) return line;
  const value = parts[ADDRESS_PART_NAMES[name as keyof typeof ADDRESS_PART_NAMES]] ?? '';
  if (name !== 'addressCountry') return value;
  const code = countryCode(value) ?? '';
  return /^[A-Z]{2}$/.test(text) ? code : value === code ? '' : value;
}
