import type { TextSlot, SlotGroup } from '../../../sites/formats/pageParts.ts';
import { plainText } from '../text/parseMarks.ts';
import { isMemberLabel } from './writeMember.ts';

/**
 * A group of the template, or its copy inside of a clone: a group in a card is cloned with the
 * card. `mark`: the ending that the ids of the clone's slots have, such as `+1`; '' for the
 * template's own.
 */
export interface MarkedGroup {
  group: SlotGroup;
  mark: string;
}

/** The slots of a group's members. */
export const listMemberSlots = (
  slots: readonly TextSlot[],
  { group, mark }: MarkedGroup,
): TextSlot[][] => group.members.map((ids) => ids.flatMap((id) => findMarkedSlot(slots, id, mark)));

/** A slot, or its copy in a clone; empty for a slot that is not among `slots`. */
export function findMarkedSlot(slots: readonly TextSlot[], id: string, mark: string): TextSlot[] {
  const slot = slots.find((slot) => slot.id === id);
  return slot ? [mark === '' ? slot : { ...slot, id: id.replace(/^s\d+/, `$&${mark}`) }] : [];
}

/** Labels that every member has (`per month`). New members keep them. */
export function findCommonTexts(members: TextSlot[][]): Set<string> {
  const isSharedLabel = (slot: TextSlot) => isMemberLabel(slot) && slot.role !== 'heading';
  const [firstTexts = [], ...otherTexts] = members.map((slots) =>
    slots.filter(isSharedLabel).map(({ text }) => plainText(text)),
  );
  return new Set(firstTexts.filter((text) => otherTexts.every((texts) => texts.includes(text))));
}

/** The headings of a table's columns: the cells right before its rows. Empty for other groups. */
export function findColumnHeaders(
  slots: readonly TextSlot[],
  { role, members }: SlotGroup,
): TextSlot[] {
  if (role !== 'table-row') return [];
  const firstIndex = slots.findIndex(({ id }) => id === members[0]?.[0]);
  const slotsBefore = slots.slice(0, Math.max(0, firstIndex));
  return slotsBefore.slice(slotsBefore.findLastIndex((slot) => slot.role !== 'table-cell') + 1);
}

/**
 * The column heading of each cell. Matches from the last cell, since the first heading may be
 * empty.
 */
export function findColumnNames(slots: TextSlot[], headers: TextSlot[]): Map<TextSlot, string> {
  const cells = slots.filter(({ role }) => role === 'table-cell');
  const headerAt = (index: number) => headers.at(index - cells.length);
  return new Map(
    cells.flatMap((cell, index) =>
      headerAt(index) && headers.length <= cells.length
        ? [[cell, plainText(headerAt(index)!.text)]]
        : [],
    ),
  );
}
