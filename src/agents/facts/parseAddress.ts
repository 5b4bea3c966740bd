import { wordSet } from '../../text/wordLists.ts';
import { countryCode } from './countries.ts';
import { SUFFIX } from './factPatterns.ts';
import { isRegionName, isStateOf } from './regions.ts';

/** The parts of an address, as they were given. `country` is an ISO 3166-1 code if it is known. */
export interface Address {
  street?: string;
  locality?: string;
  region?: string;
  postalCode?: string;
  country?: string;
}

const LONGEST = 300;
const CANADA = /(?<![\p{L}\p{N}])[A-Z]\d[A-Z]\s?\d[A-Z]\d$/u;
const BRITAIN = /(?<![\p{L}\p{N}])[A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2}$/u;
/** An Irish postal code (Eircode). */
const IRELAND = /(?<![\p{L}\p{N}])[AC-FHKNPRTV-Y]\d[\dW]\s?[\dAC-FHKNPRTV-Y]{4}$/u;
const BRAZIL = /(?<![\p{L}\p{N}])\d{5}-\d{3}$/u;
const NUMBER = /(?<![\p{L}\p{N}-])(?:\d{5}(?:-\d{4})?|(?<=\b[A-Z]{2,3}\s)\d{4})$/u;
/**
 * A postal code before its town: `1100-053 Lisboa`, `D-50667 Köln`, `1017 AB Amsterdam`, `00-001
 * Warszawa`, `111 22 Stockholm`.
 */
const BEFORE =
  /^(?:[A-Z]{1,2}-)?(\d{4}-\d{3}|\d{4}\s?[A-Z]{2}(?=\s\p{Lu}\p{Ll})|\d{5}|\d{4}|\d{2}-\d{3}|\d{3}\s\d{2})\s+(\p{Lu}.*)$/u;
/** A street. Its house number may look like a postal code: `1420 Fifth Avenue`. */
const STREET = new RegExp(
  `^\\d{1,5}\\s.*\\b${SUFFIX}\\b\\.?(?:\\s(?:North|South|East|West|[NSEW]{1,2}))?$`,
  'u',
);
const WITHOUT_COMMA = /\s((?:[A-Z]{1,2}-)?(?:\d{4}-\d{3}|\d{5})\s\p{Lu}[\p{L}\s().-]*)$/u;
const STATE = /(?:^|\s)(?:[–-]\s)?([A-Z]{2,3})$/u;
const ROOM =
  /\d|^(?:suite|ste|unit|floor|apt|apartment|room|building|etage|stock|hinterhaus|[\p{L}.]+ (?:floor|stock))\b/iu;

/**
 * Reads an address in one line: street, town, region, postal code and country in the order of the
 * US, Canada, the United Kingdom, Germany, Portugal and similar countries.
 */
export function parseAddress(line: string): Address {
  const parts = line
    .slice(0, LONGEST)
    .split(/[,;|·\n]/)
    .map((part) => part.trim())
    .filter(Boolean);
  const country = parts.length > 1 ? countryOf(parts.at(-1)!, parts.at(-2)!) : null;
  if (country !== null) parts.pop();
  return { ...(withCode(parts) ?? withoutCode(parts)), ...(country !== null && { country }) };
}

/**
 * The country in the last part of an address. Two letters behind a town are a state: `Boston, MA`.
 */
const countryOf = (part: string, before: string) =>
  /^[A-Z]{2}$/.test(part) && !/(?:^|\s)[A-Z]{2}$|\d/.test(before) && isStateOf(part) !== null
    ? null
    : countryCode(part);

/** Parses the parts of an address with a postal code. null if no part has one. */
function withCode(parts: string[]): Address | null {
  for (let i = parts.length - 1; i >= 0; i--) {
    const part = parts[i]!;
    const isStreet = i === 0 && parts.length > 1;
    const before = isStreet || STREET.test(part) ? null : BEFORE.exec(part);
    if (before) {
      const { rest: locality, region = parts[i + 1] } = cutState(before[2]!);
      return tidy({
        street: parts.slice(0, i).join(', '),
        locality,
        region,
        postalCode: before[1],
      });
    }
    const after = isStreet
      ? null
      : (CANADA.exec(part) ??
        BRITAIN.exec(part) ??
        IRELAND.exec(part) ??
        BRAZIL.exec(part) ??
        NUMBER.exec(part));
    if (after && (i > 0 || after.index > 0))
      return behindTown(parts.slice(0, i), part.slice(0, after.index), after[0]);
  }
  const joined = parts.length === 1 ? WITHOUT_COMMA.exec(parts[0]!) : null;
  return joined && /\d/.test(parts[0]!.slice(0, joined.index))
    ? withCode([parts[0]!.slice(0, joined.index), joined[1]!])
    : null;
}

/**
 * Parses an address with its postal code behind the town: `…, Austin, TX` + `78701`, `…, London` +
 * `SW1A 2AA`, `…, Sydney NSW` + `2000`.
 */
function behindTown(parts: string[], own: string, postalCode: string): Address {
  const rest = [...parts, own.trim()].filter(Boolean);
  const last = rest.pop() ?? '';
  const { rest: town, region } = isRegionName(last) ? { rest: '', region: last } : cutState(last);
  const locality = town !== '' ? town : isTown(rest.at(-1), rest.length) ? rest.pop() : undefined;
  return tidy({ street: rest.join(', '), locality, region, postalCode });
}

function withoutCode(parts: string[]): Address {
  const rest = [...parts];
  const last = rest.at(-1) ?? '';
  const region =
    rest.length > 1 && (isRegionName(last) || /^[A-Z]{2}$/.test(last)) ? rest.pop() : undefined;
  const locality = rest.length > 1 && isTown(rest.at(-1), rest.length) ? rest.pop() : undefined;
  return tidy({ street: rest.join(', '), locality, region });
}

/** Whether a part is the town. A part that stands alone is the street if it has a digit. */
const isTown = (part: string | undefined, count: number) =>
  part !== undefined && !ROOM.test(part) && (count > 1 || !/\d/.test(part));

function cutState(text: string): { rest: string; region?: string } {
  const state = STATE.exec(text);
  return state ? { rest: text.slice(0, state.index).trim(), region: state[1]! } : { rest: text };
}

export const tidy = (address: { [Part in keyof Address]: string | undefined }): Address =>
  Object.fromEntries(
    Object.entries(address).filter(([, text]) => text !== undefined && text !== ''),
  );

/** The country that an address's form shows. null if several countries use this form. */
export function countryByForm({
  street = '',
  postalCode = '',
  region = '',
}: Address): string | null {
  if (CANADA.test(postalCode)) return 'CA';
  if (BRITAIN.test(postalCode)) return 'GB';
  if (IRELAND.test(postalCode)) return 'IE';
  if (/^\d{4}-\d{3}$/.test(postalCode)) return 'PT';
  if (
    /^\d{5}$/.test(postalCode) &&
    /(?:stra(?:ß|ss)e|str\.|gasse|allee|platz|weg|damm|ufer)\s\d/iu.test(street)
  )
    return 'DE';
  return /^\d{5}(?:-\d{4})?$/.test(postalCode) ? isStateOf(region) : null;
}

/**
 * The line with the town, in the country's notation: `Austin, TX 78701`, `London SW1A 2AA`, `50667
 * Köln`.
 */
export function townLine(address: Address): string {
  const { locality = '', region, postalCode = '', country = countryByForm(address) } = address;
  const isBehind =
    country === null ? region !== undefined || /^\p{L}/u.test(postalCode) : BEHIND.has(country);
  if (!isBehind) return `${postalCode} ${locality}`.trim();
  const state = country === 'GB' || country === 'IE' ? undefined : region;
  return (
    state === undefined ? `${locality} ${postalCode}` : `${locality}, ${state} ${postalCode}`
  ).trim();
}

/** Countries where the postal code follows the town. */
const BEHIND = wordSet('US CA GB IE AU NZ IN ZA SG HK JP BR');
