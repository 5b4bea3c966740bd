import { withoutEnd } from '../../contract/text.ts';
import { foldWords } from '../text/fold.ts';
import { countryByForm, parseAddress, tidy, townLine, type Address } from './parseAddress.ts';
import { countryCode, countryName } from './countries.ts';
import type { Fact } from './findFacts.ts';

/** The address of a context, as one line and in parts. */
export interface GivenAddress {
  line: string;
  parts: Address & { street: string };
}

/**
 * Builds one address from a line, from parts with separate keys, or from both.
 * @param lines values of the address's key
 * @param keyed parts with separate keys. `line2`: the line below the street. `place`: the page's
 * town. `dialled`: the country of the telephone number.
 * @returns null if there is no street
 */
export function givenAddress(
  lines: string[] = [],
  {
    place,
    dialled,
    line2,
    ...keyed
  }: Address & { place?: string; dialled?: string; line2?: string },
): GivenAddress | null {
  // the full stop of a sentence: `at 7 Trafalgar Street, Brighton BN1 4EQ.`
  const line = withoutEnd(lines.join(', '), '., ');
  const read = parseAddress(line);
  const isSure = read.postalCode !== undefined || keyed.locality === undefined;
  const own = cutTown(
    isSure ? read : parseAddress(withoutTown(line, keyed.locality!)),
    keyed.locality ?? place,
  );
  const { street: first, ...rest } = tidy({ locality: place, ...keyed, ...own });
  if (first === undefined) return null;
  const street = line2 === undefined || first.includes(line2) ? first : `${first}, ${line2}`;
  const country =
    countryCode(rest.country ?? '') ??
    rest.country ??
    countryByForm({ street, ...rest }) ??
    dialled;
  const parts = { street, ...tidy({ ...rest, country }) };
  const isWhole =
    own.street === street && own.locality !== undefined && parts.postalCode === own.postalCode;
  return { line: isWhole ? line : wholeLine(parts), parts };
}

/** Removes a town that another key gives too: `12 Elm Street, Downtown, Boston`. */
const withoutTown = (line: string, town: string) =>
  line
    .split(/,\s*/)
    .filter((part) => foldWords(part) !== foldWords(town))
    .join(', ');

/**
 * Removes a town that stands right behind the street, because a line break was lost: `12 King St
 * Ottawa`.
 */
function cutTown(address: Address, town?: string): Address {
  const { street = '', locality } = address;
  const isBehind = town !== undefined && locality === undefined && street.endsWith(` ${town}`);
  return isBehind ? { ...address, street: street.slice(0, -town.length).trim() } : address;
}

const wholeLine = (parts: Address) => [parts.street, townLine(parts)].filter(Boolean).join(', ');

const LEAF =
  /\.?(streetAddress|addressLocality|addressRegion|postalCode|addressCountry)(?:\.name)?$/;
const PARTS: Record<string, keyof Address> = {
  streetAddress: 'street',
  addressLocality: 'locality',
  addressRegion: 'region',
  postalCode: 'postalCode',
  addressCountry: 'country',
};

/**
 * Replaces the template's own address. Each text shows the same parts of the new address as it
 * showed of the old one. Other addresses stay. Structured data stays if the new address has no
 * town.
 * @param facts the page's facts of the kind `address`
 */
export function matchAddresses(facts: Fact[], given: GivenAddress | null): Map<Fact, string> {
  const replaced = new Map<Fact, string>();
  if (!given) return replaced;
  const isData = ({ slot }: Fact) => slot.role === 'structured-data';
  const visible = facts
    .filter((fact) => !isData(fact))
    .map((fact) => ({ fact, address: parseAddress(fact.text) }));
  const data = groupsOf(facts.filter(isData));
  const own = ownAddress([
    ...visible.map(({ address }) => address),
    ...data.map(({ address }) => address),
  ]);
  for (const { fact, address } of visible) {
    const text = isSame(address, own) ? shown(address, given) : undefined;
    if (text !== undefined) replaced.set(fact, text);
  }
  for (const [i, { fact, address }] of visible.entries()) {
    const town = visible[i + 1];
    if (
      !town ||
      address.street === undefined ||
      hasTown(address) ||
      town.address.street !== undefined
    )
      continue;
    // a street and the town's line below it are one address: both are replaced, or neither
    if (isSame(town.address, own) && !replaced.has(town.fact)) replaced.delete(fact);
    if (!replaced.has(fact)) replaced.delete(town.fact);
  }
  for (const { address, leaves } of given.parts.locality === undefined ? [] : data) {
    if (!isSame(address, own)) continue;
    for (const [fact, name] of leaves)
      replaced.set(fact, name === 'line' ? given.line : leafText(fact, name, given));
  }
  return replaced;
}

/** The page's first address. Missing parts are taken from its other occurrences. */
function ownAddress(all: Address[]): Address {
  const first = all.find(({ street }) => street !== undefined) ?? all[0] ?? {};
  const same = all.filter((address) => isSame(address, first));
  return same.reduce((whole, address) => ({ ...address, ...whole }), first);
}

/** Whether two addresses name the same place. */
function isSame(a: Address, b: Address): boolean {
  const differs = (part: 'street' | 'locality' | 'postalCode') =>
    a[part] !== undefined && b[part] !== undefined && foldWords(a[part]) !== foldWords(b[part]);
  return (
    !differs('street') && !differs('postalCode') && (a.street !== undefined || !differs('locality'))
  );
}

const hasTown = ({ locality, postalCode }: Address) =>
  locality !== undefined || postalCode !== undefined;

/** Those parts of the new address that a text shows of the old one. */
function shown(address: Address, { line, parts }: GivenAddress): string | undefined {
  if (address.street !== undefined) return hasTown(address) ? line : parts.street;
  return parts.locality === undefined ? undefined : townLine(parts);
}

/**
 * The new value of an address's part in structured data. Empty if the new address lacks this part,
 * since the old value would be wrong.
 */
function leafText({ text }: Fact, name: keyof Address, { parts }: GivenAddress): string {
  const value = parts[name] ?? '';
  const isCode = /^[A-Z]{2}$/.test(text);
  return name === 'country' && /^[A-Z]{2}$/.test(value) && !isCode ? countryName(value) : value;
}

interface DataAddress {
  address: Address;
  leaves: [Fact, keyof Address | 'line'][];
}

/** The addresses in structured data, each in one line or in parts. */
function groupsOf(facts: Fact[]): DataAddress[] {
  const placeOf = ({ slot }: Fact) =>
    `${slot.id.split('.')[0]} ${slot.jsonPath!.replace(LEAF, '')}`;
  const isPart = ({ slot }: Fact) => LEAF.test(slot.jsonPath ?? '');
  const lines = facts
    .filter((fact) => !isPart(fact))
    .map((fact): DataAddress => ({ address: parseAddress(fact.text), leaves: [[fact, 'line']] }));
  const groups = [...Map.groupBy(facts.filter(isPart), placeOf).values()].map(
    (group): DataAddress => {
      const leaves = group.map((fact): [Fact, keyof Address] => [
        fact,
        PARTS[LEAF.exec(fact.slot.jsonPath!)![1]!]!,
      ]);
      return {
        address: Object.fromEntries(leaves.map(([{ text }, name]) => [name, text])),
        leaves,
      };
    },
  );
  return [...groups, ...lines];
}
