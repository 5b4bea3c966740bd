import type { ContextData, Section } from '../context/data.ts';
import type { FactKind } from './factPatterns.ts';
import { factsOf, isSameFact, textSlot, type Fact } from './facts.ts';
import { addressKeys, coordinateKeys, factKeys, fieldNamed } from './names.ts';

/** The context's own facts, by the kind of the template's fact that they stand for. */
export interface Counterparts {
  values: Map<FactKind, string[]>;
  address: Partial<Record<keyof typeof addressKeys, string>>;
  coordinates: Partial<Record<keyof typeof coordinateKeys, string>>;
}

/**
 * Reads the facts that a context gives: by their keys, and in running text where a kind stands there once.
 * @param lists sections whose items became members of a group: their facts are of these members only
 */
export function readCounterparts(context: ContextData, lists: ReadonlySet<Section> = new Set()): Counterparts {
  const values = new Map<FactKind, string[]>();
  const inText = factsInText(context, lists);
  for (const kind of Object.keys(factKeys) as FactKind[]) {
    const given = fieldNamed(context, factKeys[kind])?.values ?? onlyOne(inText, kind);
    if (given.length > 0) values.set(kind, given);
  }
  const address = pick(context, addressKeys);
  const { street, postalCode, locality, region, country } = address;
  if (!values.has('address') && street !== undefined) {
    const place = [postalCode, locality].filter((part) => part !== undefined).join(' ');
    values.set('address', [[street, place, region, country].filter(Boolean).join(', ')]);
  }
  return { values, address, coordinates: pick(context, coordinateKeys) };
}

function pick<K extends string>(context: ContextData, keys: Record<K, readonly string[]>): Partial<Record<K, string>> {
  const found: Partial<Record<K, string>> = {};
  for (const name of Object.keys(keys) as K[]) {
    const value = fieldNamed(context, keys[name])?.values[0];
    if (value !== undefined) found[name] = value;
  }
  return found;
}

function factsInText({ paragraphs, sections }: ContextData, lists: ReadonlySet<Section>): Fact[] {
  const own = sections.flatMap((section) => [...section.paragraphs, ...(lists.has(section) ? [] : section.items)]);
  const texts = [...paragraphs, ...own];
  return texts.flatMap((text) => factsOf(textSlot(text)));
}

function onlyOne(facts: Fact[], kind: FactKind): string[] {
  const [first, ...others] = facts.filter((fact) => fact.kind === kind);
  return first && others.every((other) => isSameFact(first, other)) ? [first.text] : [];
}

/** Kinds of which a business has one that counts: a second one on the template is another's, or another line. */
const SINGLE: FactKind[] = ['telephone', 'email', 'address', 'rating', 'reviews', 'coordinates'];

/**
 * What each fact of the template becomes.
 * @returns the facts with a counterpart, and the kinds of which the template has none, or more than the context
 */
export function matchFacts(
  facts: Fact[],
  counterparts: Counterparts,
): { replaced: Map<Fact, string>; unplaced: string[] } {
  const replaced = new Map<Fact, string>();
  const unplaced: string[] = [];
  for (const [kind, values] of counterparts.values) {
    const own = facts.filter((fact) => fact.kind === kind);
    const pairs = pairUp(kind, own, values);
    if (pairs.length === 0)
      unplaced.push(own.length > 0 ? `${kind} (the template has ${distinctFacts(own).length} different ones)` : kind);
    for (const [first, value] of pairs) {
      for (const fact of own) if (isSameFact(first, fact)) replaced.set(fact, valueFor(fact, value));
    }
  }
  for (const fact of facts) {
    const part = partOf(fact, counterparts);
    if (part !== undefined) replaced.set(fact, part);
  }
  for (const address of structuredAddresses(facts)) {
    if (address.some((fact) => partOf(fact, counterparts) === undefined))
      for (const fact of address) replaced.delete(fact);
  }
  return { replaced, unplaced };
}

/**
 * The parts of each address in structured data: half of a new one with half of the template's would be an address that
 * nobody gave.
 */
function structuredAddresses(facts: Fact[]): Fact[][] {
  const part = /\.?(?:streetAddress|addressLocality|addressRegion|postalCode|addressCountry(?:\.name)?)$/;
  const parts = facts.filter(({ slot }) => slot.role === 'structured-data' && part.test(slot.jsonPath ?? ''));
  const placeOf = ({ slot }: Fact) => `${slot.id.split('.')[0]} ${slot.jsonPath!.replace(part, '')}`;
  return [...Map.groupBy(parts, placeOf).values()];
}

function pairUp(kind: FactKind, facts: Fact[], values: string[]): [Fact, string][] {
  const visible = facts.filter(({ slot }) => slot.role !== 'structured-data');
  const distinct = distinctFacts(visible.length > 0 ? visible : facts);
  if (SINGLE.includes(kind)) return distinct.slice(0, values.length).map((fact, i) => [fact, values[i]!]);
  return distinct.length === values.length ? distinct.map((fact, i) => [fact, values[i]!]) : [];
}

/** Each fact once, the one that stands there most often first. */
function distinctFacts(facts: Fact[]): Fact[] {
  const groups: Fact[][] = [];
  for (const fact of facts) {
    const group = groups.find(([first]) => isSameFact(first!, fact));
    if (group) group.push(fact);
    else groups.push([fact]);
  }
  const isSingle = facts[0] !== undefined && SINGLE.includes(facts[0].kind);
  return (isSingle ? groups.sort((a, b) => b.length - a.length) : groups).map(([first]) => first!);
}

/** A rating is a number in a sentence of its own words: `4.9` out of 5. */
function valueFor({ kind }: Fact, value: string): string {
  if (kind !== 'rating' && kind !== 'reviews') return value;
  return /\d[\d.,]*/.exec(value)?.[0] ?? value;
}

/** What a part of a structured address or position becomes. */
function partOf({ kind, slot }: Fact, { values, address, coordinates }: Counterparts): string | undefined {
  const path = slot.jsonPath ?? '';
  if (/latitude$/.test(path)) return coordinates.latitude ?? values.get('coordinates')?.[0]?.split(/[,;]\s*|\s+/)[0];
  if (/longitude$/.test(path)) return coordinates.longitude ?? values.get('coordinates')?.[0]?.split(/[,;]\s*|\s+/)[1];
  const whole = values.get('address')?.[0];
  if (kind !== 'address' || slot.role !== 'structured-data' || whole === undefined) return undefined;
  const postalCode =
    address.postalCode ??
    /\b(?:\d{4}-\d{3}|\d{5}(?:-\d{4})?|\d{4}\s?[A-Z]{2}|[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}|\d{4})\b(?![^,]*\bst)/u.exec(
      whole.split(',').slice(1).join(','),
    )?.[0];
  if (/streetAddress$/.test(path)) return address.street ?? streetOf(whole, [postalCode, address.locality]);
  if (/addressLocality$/.test(path)) return address.locality;
  if (/addressRegion$/.test(path)) return address.region;
  if (/postalCode$/.test(path)) return postalCode;
  if (/addressCountry/.test(path)) return address.country;
  return undefined;
}

/** An address up to the part that names its postal code or its town. */
function streetOf(address: string, ends: (string | undefined)[]): string {
  const parts = address.split(/,\s*/);
  const end = parts.findIndex((part, i) => i > 0 && ends.some((text) => text !== undefined && part.includes(text)));
  return (end === -1 ? parts : parts.slice(0, end)).join(', ');
}
