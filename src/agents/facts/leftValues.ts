import { mapById } from '../../contract/mapById.ts';
import { remembered } from '../../sites/remembered.ts';
import { followersOf } from '../../sites/formats/followers.ts';
import { isUnseen, type Slot, type SlotGroup } from '../../sites/formats/page.ts';
import { digitsOf } from '../../text/text.ts';
import { amountSpans, isSameAmount, plainAmount } from '../text/amounts.ts';
import { beginsWithDay } from './factPatterns.ts';
import { factsOf, isFactLine } from './findFacts.ts';

/** A value that was replaced in one text, and that another one still has. */
export interface LeftValue {
  /** The id of the text that still has it. */
  id: string;
  value: string;
  isData: boolean;
  /** Whether the page itself still shows the value of the data. */
  isShown: boolean;
}

/** A value in a text. Values with different keys differ. */
interface Stated {
  kind: 'price' | 'telephone' | 'email' | 'hours';
  text: string;
  key: string;
  slot: Slot;
}

/** Most values that are looked for, and most places of them that are compared. */
const MOST_LOST = 100;
const MOST_LEFT = 20;
const LEAST_DIGITS = 7;
/** As many digits from the end are the same in all notations of a telephone number. */
const LAST_DIGITS = 6;

/**
 * The prices, telephone numbers, e-mail addresses and opening hours that were written over, and
 * that other texts of the page still have. Numbers without a currency or a name are none.
 * @param before the written texts, as they were
 * @param now the page's slots
 * @param groups the page's. Prices of two members of one are of different things.
 */
export function leftValues(before: Slot[], now: Slot[], groups: SlotGroup[]): LeftValue[] {
  const read = (slot: Slot | undefined) => (slot ? statedIn(slot) : []);
  const byId = mapById(now);
  const lost = before
    .flatMap((slot) => replacedIn(slot, read(slot), read(byId.get(slot.id))))
    .slice(0, MOST_LOST);
  if (lost.length === 0) return [];
  const byKey = Map.groupBy(lost, ({ key }) => key);
  const written = mapById(before);
  const isApart = besides(groups);
  const found = now.flatMap((slot) =>
    read(slot).filter((one) => byKey.get(one.key)?.some((other) => isSame(one, other))),
  );
  const shown = new Set(found.flatMap(({ key, slot }) => (isUnseen(slot.role) ? [] : [key])));
  const isLeft = (one: Stated) =>
    !written.has(one.slot.id) &&
    byKey.get(one.key)!.some((other) => isSame(one, other) && !isApart(one, other));
  const left = found.filter(isLeft).slice(0, MOST_LOST);
  return left
    .filter(({ slot }) => !left.some((other) => isFollowing(slot, other.slot)))
    .slice(0, MOST_LEFT)
    .map(({ key, slot, text }) => ({
      id: slot.id,
      value: text,
      isData: isData(slot),
      isShown: shown.has(key),
    }));
}

/**
 * The values that a text had and has no more. A longer text that only leaves them out says nothing
 * against them: it must have others of their kind.
 */
function replacedIn(slot: Slot, old: Stated[], now: Stated[]): Stated[] {
  const lackedBy = (values: Stated[]) => (one: Stated) =>
    !values.some((other) => isSame(one, other));
  const kinds = new Set(now.filter(lackedBy(old)).map(({ kind }) => kind));
  return old.filter(lackedBy(now)).filter(({ kind }) => kinds.has(kind) || isFactLine(slot));
}

/** Whether a text is written when another one is, which it repeats. */
const isFollowing = (slot: Slot, leader: Slot) =>
  slot.id !== leader.id &&
  slot.text === leader.text &&
  !isData(slot) &&
  followersOf(leader).includes(slot.role);

const isData = ({ role }: Slot) => role === 'structured-data';

function statedIn(slot: Slot): Stated[] {
  if (!/[\d@]/.test(slot.text)) return [];
  return factsOf(slot).flatMap(({ kind, text }): Stated[] => {
    const stated = (key: string, own = text): Stated[] =>
      kind === 'price' || kind === 'telephone' || kind === 'email' || kind === 'hours'
        ? [{ kind, text: own, key: `${kind} ${key}`, slot }]
        : [];
    if (kind === 'price')
      return amountsIn(text).flatMap((own) => stated(`${Number(plainAmount(own))}`, own));
    if (kind === 'telephone')
      return digitsOf(text).length < LEAST_DIGITS ? [] : stated(digitsOf(text).slice(-LAST_DIGITS));
    if (kind === 'hours')
      return beginsWithDay(text) && !isData(slot) ? stated(text.toLowerCase()) : [];
    return stated(text.toLowerCase());
  });
}

/** The sums in a price or a range of prices: `$10`, `$10–$20`, the `10` of structured data. */
function amountsIn(price: string): string[] {
  const spans = amountSpans(price);
  if (spans.length > 0) return spans.map(({ from, to }) => price.slice(from, to));
  return /\d/.test(price) ? [price] : [];
}

/** Whether two values are the same. */
function isSame(a: Stated, b: Stated): boolean {
  if (a.key !== b.key) return false;
  if (a.kind === 'telephone') {
    const [one, other] = [digitsOf(a.text), digitsOf(b.text).replace(/^0/, '')];
    const own = one.replace(/^0/, '');
    return own.endsWith(other) || other.endsWith(own);
  }
  return a.kind !== 'price' || isSameAmount(a.text, b.text);
}

interface Place {
  member: number;
  index: number;
}

/**
 * Makes a test whether two prices are of different things: at the same place of two members of a
 * group, in two cells of a row, or both in structured data.
 */
function besides(groups: SlotGroup[]): (a: Stated, b: Stated) => boolean {
  const places = new Map<string, Map<SlotGroup, Place>>();
  for (const group of groups)
    for (const [member, ids] of group.members.entries())
      for (const [index, id] of ids.entries())
        remembered(places, id, () => new Map<SlotGroup, Place>()).set(group, { member, index });
  return (a, b) => {
    if (a.kind !== 'price') return false;
    if (isData(a.slot) && isData(b.slot)) return true;
    return [...(places.get(a.slot.id) ?? [])].some(([group, one]) => {
      const other = places.get(b.slot.id)?.get(group);
      if (!other) return false;
      return one.member === other.member ? group.role === 'table-row' : one.index === other.index;
    });
  };
}
