import { defined } from '../../contract/defined.ts';
import { countryOfNumber, international } from '../../text/dialling.ts';
import { isTelephone } from '../../text/telephone.ts';
import { isMailbox } from '../../text/text.ts';
import type { Contacts } from '../../contract/task.ts';
import { inPlaceOf, plainAmount } from '../text/amounts.ts';
import type { ContextData, Section } from '../context/contextData.ts';
import { givenAddress, matchAddresses, type GivenAddress } from '../facts/postalAddress.ts';
import { countryCode } from '../facts/countries.ts';
import { beginsWithDay, type FactKind } from '../facts/factPatterns.ts';
import { factsOf, isClosed, isSameFact, textSlot, type Fact } from '../facts/findFacts.ts';
import { givenHours } from '../context/givenHours.ts';
import { addressKeys, coordinateKeys, factKeys, fieldNamed } from '../context/contextKeys.ts';
import { ratingIn } from '../facts/ratings.ts';

/** The context's facts, by the kind of the template's fact that they replace. */
export interface Counterparts {
  values: Map<FactKind, string[]>;
  address: GivenAddress | null;
  /** ISO 3166-1 code of the country that the page is about, if known. */
  country: string | undefined;
  coordinates: Partial<Record<keyof typeof coordinateKeys, string>>;
}

/**
 * Reads the facts in a context: by their keys, and from running text that has exactly one of a
 * kind.
 * @param lists sections whose items became members of a group: their facts belong to these members
 *   only
 * @param place the new page's town, if the template is about its own address's town
 */
export function readCounterparts(
  context: ContextData,
  lists: ReadonlySet<Section> = new Set(),
  place?: string,
): Counterparts {
  const values = new Map<FactKind, string[]>();
  const inText = factsInText(context, lists);
  for (const kind of Object.keys(factKeys) as FactKind[]) {
    const named =
      kind === 'hours'
        ? givenHours(context, lists)
        : (fieldNamed(context, factKeys[kind])?.values ?? onlyInSections(context, kind, lists));
    const given = numbersOf(kind, named.length > 0 ? named : onlyOne(inText, kind));
    if (given.length > 0) values.set(kind, given);
  }
  const beside = reviewsBeside(values.get('rating')?.[0] ?? '');
  if (beside !== undefined && !values.has('reviews')) values.set('reviews', [beside]);
  const keyed = pick(context, addressKeys);
  const dialled = countryOfNumber(values.get('telephone')?.[0] ?? '');
  const address = givenAddress(values.get('address') ?? [], {
    ...defined({ locality: place, dialled }),
    ...keyed,
  });
  const country = countryCode(address?.parts.country ?? keyed.country ?? '') ?? dialled;
  return { values, address, country, coordinates: pick(context, coordinateKeys) };
}

/** The context's e-mail address and telephone number, for links that don't show theirs. */
export function contactsOf({ values }: Counterparts): Contacts | undefined {
  const [email, ...emails] = values.get('email') ?? [];
  const [telephone, ...numbers] = values.get('telephone') ?? [];
  const contacts: Contacts = {
    ...(email !== undefined && emails.length === 0 && isMailbox(email) && { email }),
    ...(telephone !== undefined && numbers.length === 0 && isTelephone(telephone) && { telephone }),
  };
  return Object.keys(contacts).length > 0 ? contacts : undefined;
}

/** The number of reviews after a rating: `4.6/5 (212 reviews)`. */
const reviewsBeside = (rating: string) =>
  factsOf(textSlot(rating)).find(({ kind }) => kind === 'reviews')?.text;

/**
 * The values that contain a number, for ratings and numbers of reviews. Texts without one are no
 * rating, and neither are the reviews themselves.
 */
function numbersOf(kind: FactKind, values: string[]): string[] {
  if (kind === 'rating') return values.filter((value) => ratingIn(value) !== undefined);
  return kind === 'reviews' ? values.filter((value) => REVIEWS.test(value)) : values;
}

const REVIEWS = /^\D{0,12}\d[\d.,]*\+?(?:\s\p{L}+){0,3}$/u;

function pick<K extends string>(
  context: ContextData,
  keys: Record<K, readonly string[]>,
): Partial<Record<K, string>> {
  const found: Partial<Record<K, string>> = {};
  for (const name of Object.keys(keys) as K[]) {
    const value = fieldNamed(context, keys[name])?.values[0];
    if (value !== undefined) found[name] = value;
  }
  return found;
}

/**
 * The value of a fact that only the sections of a context name (`## Visit us`, `- Phone: …`). Empty
 * if they name several.
 */
function onlyInSections(
  { sections }: ContextData,
  kind: FactKind,
  lists: ReadonlySet<Section>,
): string[] {
  const keys: readonly string[] = factKeys[kind];
  const valuesIn = (section: Section): string[] => [
    ...(section.fields ?? []).flatMap(({ key, values }) => (keys.includes(key) ? values : [])),
    ...section.sections.flatMap(valuesIn),
  ];
  const values = sections.flatMap((section) => (lists.has(section) ? [] : valuesIn(section)));
  return new Set(values).size === 1 ? values.slice(0, 1) : [];
}

function factsInText({ paragraphs, sections }: ContextData, lists: ReadonlySet<Section>): Fact[] {
  const own = sections.flatMap((section) => [
    ...section.paragraphs,
    ...(lists.has(section) ? [] : section.items),
  ]);
  const texts = [...paragraphs, ...own];
  return texts.flatMap((text) => factsOf(textSlot(text)));
}

function onlyOne(facts: Fact[], kind: FactKind): string[] {
  const [first, ...others] = facts.filter((fact) => fact.kind === kind);
  return first && others.every((other) => isSameFact(first, other)) ? [first.text] : [];
}

/**
 * Kinds of which a business has one main value. Another value on the template belongs to another
 * business, or is a second line.
 */
const SINGLE: FactKind[] = ['telephone', 'email', 'rating', 'reviews', 'coordinates'];

interface Matched {
  replaced: Map<Fact, string>;
  unplaced: string[];
  /** The same facts with the context's full value, where it is longer. */
  placed: Map<Fact, string>;
}

/**
 * Finds the replacement for each fact of the template.
 * @returns `replaced`: the new texts. `unplaced`: the kinds that found no place, as the template
 *   has no such fact or several different ones. `placed`: values that the page states in another
 *   form
 */
export function matchFacts(facts: Fact[], counterparts: Counterparts): Matched {
  const replaced = new Map<Fact, string>();
  const unplaced: string[] = [];
  const placed = new Map<Fact, string>();
  for (const [kind, values] of counterparts.values) {
    if (kind === 'address') continue;
    const own = facts.filter((fact) => fact.kind === kind);
    const pairs = kind === 'hours' ? pairHours(own, values) : pairUp(kind, own, values);
    if (pairs.length === 0)
      unplaced.push(
        own.length > 0
          ? `${kind} (the template has ${kind === 'hours' ? 'several' : distinctFacts(own).length} different ones)`
          : kind,
      );
    for (const [first, value] of pairs) {
      for (const fact of own.filter((other) => isSameFact(first, other) && !isHoursData(other))) {
        replaced.set(fact, valueFor(fact, value, counterparts));
        const [rating = '', reviews = ''] =
          counterparts.values.get('rating')?.[0]?.split('(') ?? [];
        if (kind === 'rating') placed.set(fact, rating);
        if (kind === 'reviews') placed.set(fact, reviews);
      }
    }
  }
  for (const fact of facts) {
    const part = positionOf(fact, counterparts);
    if (part !== undefined) replaced.set(fact, part);
  }
  const addresses = facts.filter(({ kind }) => kind === 'address');
  const moved = matchAddresses(addresses, counterparts.address);
  for (const [fact, text] of moved) replaced.set(fact, text);
  if (moved.size === 0 && counterparts.values.has('address')) unplaced.push('address');
  return { replaced, unplaced, placed };
}

/** Opening hours of structured data stay: they are noted if they are the template's. */
const isHoursData = ({ kind, slot }: Fact) => kind === 'hours' && slot.role === 'structured-data';

/**
 * Pairs opening hours, one text with another. A text without days takes none that names days, since
 * its days stand beside it.
 */
function pairHours(facts: Fact[], values: string[]): [Fact, string][] {
  const own = distinctFacts(facts.filter((fact) => !isHoursData(fact) && !isClosed(fact.text)));
  const given = own.length === 1 ? [values.join(', ')] : values;
  const fits = ([fact, value]: [Fact, string]) =>
    beginsWithDay(fact.text) || (own.length === 1 && !beginsWithDay(value));
  const pairs = own.map((fact, i): [Fact, string] => [fact, given[i] ?? '']);
  return own.length === given.length && pairs.every(fits) ? pairs : [];
}

function pairUp(kind: FactKind, facts: Fact[], values: string[]): [Fact, string][] {
  const visible = facts.filter(({ slot }) => slot.role !== 'structured-data');
  const distinct = distinctFacts(visible.length > 0 ? visible : facts);
  if (SINGLE.includes(kind))
    return distinct.slice(0, values.length).map((fact, i) => [fact, values[i]!]);
  return distinct.length === values.length ? distinct.map((fact, i) => [fact, values[i]!]) : [];
}

/** Distinct facts, the most frequent one first. */
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

/**
 * The text that replaces a fact. A rating is only a number inside a sentence: `4.9` out of 5. In
 * structured data, telephone numbers have a country code.
 */
function valueFor({ kind, slot, text }: Fact, value: string, { country }: Counterparts): string {
  if (kind === 'telephone' && slot.role === 'structured-data')
    return international(value, text, country) ?? value;
  if (kind === 'price')
    return slot.role === 'structured-data' ? priceInData(text, value) : inPlaceOf(text, value);
  if (kind !== 'rating' && kind !== 'reviews') return value;
  const number =
    (kind === 'rating' && ratingIn(value)) || (/\d(?:[\d.,]*\d)?/.exec(value)?.[0] ?? value);
  if (slot.role !== 'structured-data') return number;
  return kind === 'rating' ? number.replace(',', '.') : number.replace(/\D/g, '');
}

/**
 * A price in structured data. A number stays a number, since its currency has its own field. Ranges
 * of prices are text.
 */
const priceInData = (old: string, value: string) =>
  /^\d[\d.]*$/.test(old) && /\d/.test(value) ? plainAmount(value) : inPlaceOf(old, value);

/** The replacement for a coordinate in structured data. */
function positionOf({ slot }: Fact, { values, coordinates }: Counterparts): string | undefined {
  const [, part] = /(?:^|\.)(latitude|longitude)$/.exec(slot.jsonPath ?? '') ?? [];
  if (part !== 'latitude' && part !== 'longitude') return undefined;
  const pair =
    values
      .get('coordinates')?.[0]
      ?.match(/-?\d{1,3}(?:\.\d+)?(?:\s?°)?(?:\s?[NSEWO](?![\p{L}]))?/gu) ?? [];
  return signed(coordinates[part] ?? pair[part === 'latitude' ? 0 : 1]);
}

/** Converts `119.8138° W` to a signed number; undefined for other texts. */
function signed(text = ''): string | undefined {
  const [, number, side] = /^(-?\d{1,3}(?:\.\d+)?)\s?°?\s?([NSEWO])?$/.exec(text.trim()) ?? [];
  if (number === undefined) return undefined;
  return side === 'S' || side === 'W' ? `-${number.replace('-', '')}` : number;
}
