import { withoutUndefined } from '../../../contract/withoutUndefined.ts';
import { countryOfNumber, internationalNumber } from '../../../text/dialling.ts';
import { isTelephone } from '../../../text/telephone.ts';
import { isMailbox } from '../../../text/text.ts';
import type { ContactLinkTargets } from '../../../contract/task.ts';
import { replaceAmount, formatPlainAmount } from '../text/moneyAmounts.ts';
import type { ContextData, ContextSection } from '../context/contextData.ts';
import { readPostalAddress, matchAddresses, type ContextAddress } from '../facts/postalAddress.ts';
import { countryCode } from '../facts/countries.ts';
import { beginsWithDay, type FactKind } from '../facts/factPatterns.ts';
import {
  findSlotFacts,
  isClosedText,
  isSameFact,
  textSlot,
  type Fact,
} from '../facts/findFacts.ts';
import { readOpeningHours } from '../context/openingHours.ts';
import { addressKeys, coordinateKeys, factKeys, findField } from '../context/contextKeys.ts';
import { readRating } from '../facts/ratings.ts';

/** The context's facts, by the kind of the template's fact that they replace. */
export interface ReplacementFacts {
  values: Map<FactKind, string[]>;
  address: ContextAddress | null;
  /** ISO 3166-1 code of the country that the page is about, if known. */
  country: string | undefined;
  coordinates: Partial<Record<keyof typeof coordinateKeys, string>>;
}

/**
 * Reads the facts in a context: by their keys, and from running text that has exactly one of a
 * kind.
 * @param lists sections whose items became members of a group, such as cards. Their facts belong to
 *   these members only
 * @param town the new page's town, if the template is about its own address's town
 * @returns the facts by kind, such as `['+351 210 000 000']` for `telephone`
 */
export function readReplacementFacts(
  context: ContextData,
  lists: ReadonlySet<ContextSection> = new Set(),
  town?: string,
): ReplacementFacts {
  const values = new Map<FactKind, string[]>();
  const textFacts = findFactsInText(context, lists);
  for (const kind of Object.keys(factKeys) as FactKind[]) {
    const namedValues =
      kind === 'hours'
        ? readOpeningHours(context, lists)
        : (findField(context, factKeys[kind])?.values ??
          findOnlySectionValue(context, kind, lists));
    const contextValues = selectNumberValues(
      kind,
      namedValues.length > 0 ? namedValues : findOnlyFact(textFacts, kind),
    );
    if (contextValues.length > 0) values.set(kind, contextValues);
  }
  const reviewCount = findReviewsBeside(values.get('rating')?.[0] ?? '');
  if (reviewCount !== undefined && !values.has('reviews')) values.set('reviews', [reviewCount]);
  const keyedParts = pickValues(context, addressKeys);
  const dialled = countryOfNumber(values.get('telephone')?.[0] ?? '');
  const address = readPostalAddress(values.get('address') ?? [], {
    ...withoutUndefined({ locality: town, dialled }),
    ...keyedParts,
  });
  const country = countryCode(address?.parts.country ?? keyedParts.country ?? '') ?? dialled;
  return { values, address, country, coordinates: pickValues(context, coordinateKeys) };
}

/** The context's e-mail address and telephone number, for links that don't show theirs. */
export function readContextContacts({ values }: ReplacementFacts): ContactLinkTargets | undefined {
  const [email, ...emails] = values.get('email') ?? [];
  const [telephone, ...numbers] = values.get('telephone') ?? [];
  const contacts: ContactLinkTargets = {
    ...(email !== undefined && emails.length === 0 && isMailbox(email) && { email }),
    ...(telephone !== undefined && numbers.length === 0 && isTelephone(telephone) && { telephone }),
  };
  return Object.keys(contacts).length > 0 ? contacts : undefined;
}

/** The number of reviews after a rating: `4.6/5 (212 reviews)`. */
const findReviewsBeside = (rating: string) =>
  findSlotFacts(textSlot(rating)).find(({ kind }) => kind === 'reviews')?.text;

/**
 * The values that contain a number, for ratings and numbers of reviews. Texts without one are no
 * rating, and neither are the reviews themselves.
 */
function selectNumberValues(kind: FactKind, values: string[]): string[] {
  if (kind === 'rating') return values.filter((value) => readRating(value) !== undefined);
  return kind === 'reviews' ? values.filter((value) => REVIEW_COUNT.test(value)) : values;
}

const REVIEW_COUNT = /^\D{0,12}\d[\d.,]*\+?(?:\s\p{L}+){0,3}$/u;

function pickValues<K extends string>(
  context: ContextData,
  keys: Record<K, readonly string[]>,
): Partial<Record<K, string>> {
  const pickedValues: Partial<Record<K, string>> = {};
  for (const name of Object.keys(keys) as K[]) {
    const value = findField(context, keys[name])?.values[0];
    if (value !== undefined) pickedValues[name] = value;
  }
  return pickedValues;
}

/**
 * The value of a fact that only the sections of a context name (`## Visit us`, `- Phone: …`). Empty
 * if they name several.
 */
function findOnlySectionValue(
  { sections }: ContextData,
  kind: FactKind,
  lists: ReadonlySet<ContextSection>,
): string[] {
  const keys: readonly string[] = factKeys[kind];
  const collectValues = (section: ContextSection): string[] => [
    ...(section.fields ?? []).flatMap(({ key, values }) => (keys.includes(key) ? values : [])),
    ...section.sections.flatMap(collectValues),
  ];
  const values = sections.flatMap((section) => (lists.has(section) ? [] : collectValues(section)));
  return new Set(values).size === 1 ? values.slice(0, 1) : [];
}

function findFactsInText(
  { paragraphs, sections }: ContextData,
  lists: ReadonlySet<ContextSection>,
): Fact[] {
  const sectionTexts = sections.flatMap((section) => [
    ...section.paragraphs,
    ...(lists.has(section) ? [] : section.items),
  ]);
  const texts = [...paragraphs, ...sectionTexts];
  return texts.flatMap((text) => findSlotFacts(textSlot(text)));
}

function findOnlyFact(facts: Fact[], kind: FactKind): string[] {
  const [firstFact, ...otherFacts] = facts.filter((fact) => fact.kind === kind);
  return firstFact && otherFacts.every((otherFact) => isSameFact(firstFact, otherFact))
    ? [firstFact.text]
    : [];
}

/**
 * Kinds of which a business has one main value. Another value on the template belongs to another
 * business, or is a second line.
 */
const SINGLE_VALUE_KINDS: FactKind[] = ['telephone', 'email', 'rating', 'reviews', 'coordinates'];

export const differentFactsReason = (count: number | 'several') =>
  `the template has ${count} different ones`;

interface MatchedFacts {
  replaced: Map<Fact, string>;
  unplaced: FactKind[];
  /** Why kinds have no place, although the template has such facts. */
  unplacedReasons: Map<FactKind, string>;
  /** The context's full value for a fact, if the page only states a part of it. */
  placed: Map<Fact, string>;
}

/**
 * Finds the replacement for each fact of the template.
 * @returns `replaced`: the new texts. `unplaced`: the kinds that found no place, as the template
 *   has no such fact or several different ones. `placed`: values that the page states in another
 *   form
 */
export function matchFacts(facts: Fact[], replacementFacts: ReplacementFacts): MatchedFacts {
  const replaced = new Map<Fact, string>();
  const unplaced: FactKind[] = [];
  const unplacedReasons = new Map<FactKind, string>();
  const placed = new Map<Fact, string>();
  for (const [kind, values] of replacementFacts.values) {
    if (kind === 'address') continue;
    const factsOfKind = facts.filter((fact) => fact.kind === kind);
    const pairs =
      kind === 'hours' ? pairHours(factsOfKind, values) : pairFacts(kind, factsOfKind, values);
    if (pairs.length === 0) unplaced.push(kind);
    if (pairs.length === 0 && factsOfKind.length > 0) {
      const count = kind === 'hours' ? 'several' : distinctFacts(factsOfKind).length;
      unplacedReasons.set(kind, differentFactsReason(count));
    }
    for (const [firstFact, value] of pairs) {
      for (const fact of factsOfKind.filter(
        (candidate) => isSameFact(firstFact, candidate) && !isHoursData(candidate),
      )) {
        replaced.set(fact, createReplacementText(fact, value, replacementFacts));
        const [rating = '', reviews = ''] =
          replacementFacts.values.get('rating')?.[0]?.split('(') ?? [];
        if (kind === 'rating') placed.set(fact, rating);
        if (kind === 'reviews') placed.set(fact, reviews);
      }
    }
  }
  for (const fact of facts) {
    const coordinate = findCoordinate(fact, replacementFacts);
    if (coordinate !== undefined) replaced.set(fact, coordinate);
  }
  const addresses = facts.filter(({ kind }) => kind === 'address');
  const addressTexts = matchAddresses(addresses, replacementFacts.address);
  for (const [fact, text] of addressTexts) replaced.set(fact, text);
  if (addressTexts.size === 0 && replacementFacts.values.has('address')) unplaced.push('address');
  return { replaced, unplaced, unplacedReasons, placed };
}

/**
 * Opening hours in structured data are not replaced. A note names them if they are still the
 * template's.
 */
const isHoursData = ({ kind, slot }: Fact) => kind === 'hours' && slot.role === 'structured-data';

/**
 * Pairs the template's opening hours with the context's. Hours without days are not replaced by
 * hours that name days, since the page has the days next to them.
 */
function pairHours(facts: Fact[], values: string[]): [Fact, string][] {
  const templateHours = distinctFacts(
    facts.filter((fact) => !isHoursData(fact) && !isClosedText(fact.text)),
  );
  const newHours = templateHours.length === 1 ? [values.join(', ')] : values;
  const fits = ([fact, value]: [Fact, string]) =>
    beginsWithDay(fact.text) || (templateHours.length === 1 && !beginsWithDay(value));
  const pairs = templateHours.map((fact, index): [Fact, string] => [fact, newHours[index] ?? '']);
  return templateHours.length === newHours.length && pairs.every(fits) ? pairs : [];
}

function pairFacts(kind: FactKind, facts: Fact[], values: string[]): [Fact, string][] {
  const visibleFacts = facts.filter(({ slot }) => slot.role !== 'structured-data');
  const distinct = distinctFacts(visibleFacts.length > 0 ? visibleFacts : facts);
  if (SINGLE_VALUE_KINDS.includes(kind))
    return distinct.slice(0, values.length).map((fact, index) => [fact, values[index]!]);
  return distinct.length === values.length
    ? distinct.map((fact, index) => [fact, values[index]!])
    : [];
}

/** Distinct facts, the most frequent one first. */
function distinctFacts(facts: Fact[]): Fact[] {
  const groups: Fact[][] = [];
  for (const fact of facts) {
    const group = groups.find(([first]) => isSameFact(first!, fact));
    if (group) group.push(fact);
    else groups.push([fact]);
  }
  const isSingle = facts[0] !== undefined && SINGLE_VALUE_KINDS.includes(facts[0].kind);
  return (isSingle ? groups.sort((first, second) => second.length - first.length) : groups).map(
    ([first]) => first!,
  );
}

/**
 * The text that replaces a fact. A rating is only a number inside a sentence: `4.9` out of 5. In
 * structured data, telephone numbers have a country code.
 */
export function createReplacementText(
  { kind, slot, text }: Fact,
  value: string,
  { country }: Pick<ReplacementFacts, 'country'>,
): string {
  if (kind === 'telephone' && slot.role === 'structured-data')
    return internationalNumber(value, text, country) ?? value;
  if (kind === 'price')
    return slot.role === 'structured-data'
      ? formatDataPrice(text, value)
      : replaceAmount(text, value);
  if (kind !== 'rating' && kind !== 'reviews') return value;
  const number =
    (kind === 'rating' && readRating(value)) || (/\d(?:[\d.,]*\d)?/.exec(value)?.[0] ?? value);
  if (slot.role !== 'structured-data') return number;
  return kind === 'rating' ? number.replace(',', '.') : number.replace(/\D/g, '');
}

/**
 * A price in structured data. A number stays a number, since its currency has its own field. Ranges
 * of prices are text.
 */
const formatDataPrice = (oldPrice: string, value: string) =>
  /^\d[\d.]*$/.test(oldPrice) && /\d/.test(value)
    ? formatPlainAmount(value)
    : replaceAmount(oldPrice, value);

/** The replacement for a coordinate in structured data. */
function findCoordinate(
  { slot }: Fact,
  { values, coordinates }: ReplacementFacts,
): string | undefined {
  const [, property] = /(?:^|\.)(latitude|longitude)$/.exec(slot.jsonPath ?? '') ?? [];
  if (property !== 'latitude' && property !== 'longitude') return undefined;
  const pair =
    values
      .get('coordinates')?.[0]
      ?.match(/-?\d{1,3}(?:\.\d+)?(?:\s?°)?(?:\s?[NSEWO](?![\p{L}]))?/gu) ?? [];
  return toSignedCoordinate(coordinates[property] ?? pair[property === 'latitude' ? 0 : 1]);
}

/** Converts `119.8138° W` to a signed number; undefined for other texts. */
function toSignedCoordinate(text = ''): string | undefined {
  const [, number, hemisphere] =
    /^(-?\d{1,3}(?:\.\d+)?)\s?°?\s?([NSEWO])?$/.exec(text.trim()) ?? [];
  if (number === undefined) return undefined;
  return hemisphere === 'S' || hemisphere === 'W' ? `-${number.replace('-', '')}` : number;
}
