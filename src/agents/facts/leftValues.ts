import { mapById } from '../../contract/mapById.ts';
import type { Slot, SlotGroup } from '../../sites/formats/page.ts';
import { isSameAmount } from '../text/amounts.ts';
import { factsOf, isFactLine, isSameFact, type Fact } from './findFacts.ts';
import type { FactKind } from './factPatterns.ts';

/** A value that was replaced in one text, and that another one still has. */
export interface LeftValue {
  /** The id of the text that still has it. */
  id: string;
  value: string;
}

const KINDS: FactKind[] = ['price', 'telephone', 'email', 'hours'];
const MOST_LOST = 100;
const MOST_LEFT = 20;

/**
 * The prices, telephone numbers, e-mail addresses and opening hours that were written over, and
 * that other texts of the page still have.
 * @param before the written texts, as they were
 * @param now the page's slots
 * @param groups the page's. Values of two members of one are of different things
 */
export function leftValues(before: Slot[], now: Slot[], groups: SlotGroup[]): LeftValue[] {
  const byId = mapById(now);
  const lost = before.flatMap((slot) => replacedIn(slot, byId.get(slot.id))).slice(0, MOST_LOST);
  const written = new Set(before.map(({ id }) => id));
  const isApart = (one: string, other: string) =>
    groups.some(({ members }) => {
      const [own, its] = [one, other].map((id) => members.findIndex((ids) => ids.includes(id)));
      return own !== -1 && its !== -1 && own !== its;
    });
  const isLost = (fact: Fact) =>
    lost.some((one) => isSame(one, fact) && !isApart(one.slot.id, fact.slot.id));
  return now
    .filter(({ id }) => lost.length > 0 && !written.has(id))
    .flatMap((slot) => valuesOf(slot).filter(isLost))
    .slice(0, MOST_LEFT)
    .map(({ slot, text }) => ({ id: slot.id, value: text }));
}

/** Whether two values are the same. Prices compare as sums, and hours with their days. */
function isSame(one: Fact, other: Fact): boolean {
  if (one.kind === 'hours') return other.kind === 'hours' && one.text === other.text;
  return one.kind === 'price'
    ? other.kind === 'price' && isSameAmount(one.text, other.text)
    : isSameFact(one, other);
}

const valuesOf = (slot: Slot): Fact[] => factsOf(slot).filter(({ kind }) => KINDS.includes(kind));

/**
 * The values that a text had and has no more. A longer text that only leaves them out says nothing
 * against them: it must have others of their kind.
 */
function replacedIn(slot: Slot, now: Slot | undefined): Fact[] {
  const [old, own] = [valuesOf(slot), now ? valuesOf(now) : []];
  const lacks = (values: Fact[], one: Fact) => !values.some((other) => isSame(one, other));
  const kinds = new Set(own.filter((one) => lacks(old, one)).map(({ kind }) => kind));
  return old.filter((one) => lacks(own, one) && (kinds.has(one.kind) || isFactLine(slot)));
}
