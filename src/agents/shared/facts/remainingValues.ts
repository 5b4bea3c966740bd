import { mapById } from '../../../contract/mapById.ts';
import type { TextSlot, SlotGroup } from '../../../sites/formats/pageParts.ts';
import { isSameAmount } from '../text/moneyAmounts.ts';
import { findSlotFacts, isFactLine, isSameFact, type Fact } from './findFacts.ts';
import type { FactKind } from './factPatterns.ts';

/** A value that was replaced in one text, and that another text still has. */
export interface RemainingValue {
  /** The id of the text that still has it. */
  id: string;
  value: string;
}

const COMPARED_KINDS: FactKind[] = ['price', 'telephone', 'email', 'hours'];
const MAX_REPLACED_VALUES = 100;
const MAX_REMAINING_VALUES = 20;

/**
 * Finds the prices, telephone numbers, e-mail addresses and opening hours that an edit replaced in
 * some texts of a page, and that other texts of the page still have.
 * @param slotsBefore the edited texts, as they were
 * @param currentSlots the page's slots
 * @param groups the page's groups. Values in two members of a group, such as two cards, are about
 *   different things
 */
export function findRemainingValues(
  slotsBefore: TextSlot[],
  currentSlots: TextSlot[],
  groups: SlotGroup[],
): RemainingValue[] {
  const slotsById = mapById(currentSlots);
  const replacedFacts = slotsBefore
    .flatMap((slot) => findReplacedFacts(slot, slotsById.get(slot.id)))
    .slice(0, MAX_REPLACED_VALUES);
  const writtenIds = new Set(slotsBefore.map(({ id }) => id));
  const areInDifferentMembers = (firstId: string, secondId: string) =>
    groups.some(({ members }) => {
      const [firstMember, secondMember] = [firstId, secondId].map((id) =>
        members.findIndex((ids) => ids.includes(id)),
      );
      return firstMember !== -1 && secondMember !== -1 && firstMember !== secondMember;
    });
  const isReplaced = (fact: Fact) =>
    replacedFacts.some(
      (replacedFact) =>
        isSameFactValue(replacedFact, fact) &&
        !areInDifferentMembers(replacedFact.slot.id, fact.slot.id),
    );
  return currentSlots
    .filter(({ id }) => replacedFacts.length > 0 && !writtenIds.has(id))
    .flatMap((slot) => findComparedFacts(slot).filter(isReplaced))
    .slice(0, MAX_REMAINING_VALUES)
    .map(({ slot, text }) => ({ id: slot.id, value: text }));
}

/**
 * Whether two values are the same. Prices are compared as sums, and opening hours with their days.
 */
function isSameFactValue(first: Fact, second: Fact): boolean {
  if (first.kind === 'hours') return second.kind === 'hours' && first.text === second.text;
  return first.kind === 'price'
    ? second.kind === 'price' && isSameAmount(first.text, second.text)
    : isSameFact(first, second);
}

const findComparedFacts = (slot: TextSlot): Fact[] =>
  findSlotFacts(slot).filter(({ kind }) => COMPARED_KINDS.includes(kind));

/**
 * The values that an edit replaced in a text. If a longer text only lacks a value now, the value
 * may still be right, so the text must have another one of that kind.
 */
function findReplacedFacts(slot: TextSlot, currentSlot: TextSlot | undefined): Fact[] {
  const [oldFacts, newFacts] = [
    findComparedFacts(slot),
    currentSlot ? findComparedFacts(currentSlot) : [],
  ];
  const lacks = (values: Fact[], fact: Fact) =>
    !values.some((candidate) => isSameFactValue(fact, candidate));
  const kinds = new Set(newFacts.filter((fact) => lacks(oldFacts, fact)).map(({ kind }) => kind));
  return oldFacts.filter(
    (fact) => lacks(newFacts, fact) && (kinds.has(fact.kind) || isFactLine(slot)),
  );
}
