import type { Slot, SlotGroup } from '../../sites/formats/page.ts';
import { plainText } from '../text/marks.ts';
import { isLabel } from './member.ts';

/**
 * A group of the template, or its copy in a clone of the outer group. `mark`: the ending of the
 * clone's slot ids (`+1`).
 */
export interface GroupAt {
  group: SlotGroup;
  mark: string;
}

/** The slots of a group's members. */
export const slotsOf = (slots: readonly Slot[], { group, mark }: GroupAt): Slot[][] =>
  group.members.map((ids) => ids.flatMap((id) => slotOf(slots, id, mark)));

/** A slot, or its copy for a clone; empty for a slot of the site's chrome. */
export function slotOf(slots: readonly Slot[], id: string, mark: string): Slot[] {
  const slot = slots.find((slot) => slot.id === id);
  return slot ? [mark === '' ? slot : { ...slot, id: id.replace(/^s\d+/, `$&${mark}`) }] : [];
}

/** Labels that every member has (`per month`). New members keep them. */
export function commonTexts(members: Slot[][]): Set<string> {
  const counts = (slot: Slot) => isLabel(slot) && slot.role !== 'heading';
  const [first = [], ...others] = members.map((slots) =>
    slots.filter(counts).map(({ text }) => plainText(text)),
  );
  return new Set(first.filter((text) => others.every((texts) => texts.includes(text))));
}

/** Headings of a table's columns: the cells right before its rows. */
export function headersOf(slots: readonly Slot[], { role, members }: SlotGroup): Slot[] {
  if (role !== 'table-row') return [];
  const first = slots.findIndex(({ id }) => id === members[0]?.[0]);
  const before = slots.slice(0, Math.max(0, first));
  return before.slice(before.findLastIndex((slot) => slot.role !== 'table-cell') + 1);
}

/**
 * The column heading of each cell. Matches from the last cell, since the first heading may be
 * empty.
 */
export function columnsOf(slots: Slot[], headers: Slot[]): Map<Slot, string> {
  const cells = slots.filter(({ role }) => role === 'table-cell');
  const header = (i: number) => headers.at(i - cells.length);
  return new Map(
    cells.flatMap((cell, i) =>
      header(i) && headers.length <= cells.length ? [[cell, plainText(header(i)!.text)]] : [],
    ),
  );
}
