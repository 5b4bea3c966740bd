import type { Slot, SlotGroup } from '../../../sites/pages/format.ts';
import { plainText } from '../../text/marks.ts';
import type { Filling } from './fill.ts';
import { isLabel } from './member.ts';

/** Slots of a group's members, as they are called in a clone with that mark (`+1`). */
export const slotsOf = (filling: Filling, { members }: SlotGroup, mark: string): Slot[][] =>
  members.map((ids) => ids.flatMap((id) => slotOf(filling, id, mark)));

/** A slot, or a copy of it for a clone; none for a slot of the site's chrome. */
export function slotOf({ slots }: Filling, id: string, mark: string): Slot[] {
  const slot = slots.find((slot) => slot.id === id);
  return slot ? [mark === '' ? slot : { ...slot, id: id.replace(/^s\d+/, `$&${mark}`) }] : [];
}

/** Labels that every member has (`per month`): they hold for new members too. */
export function commonTexts(members: Slot[][]): Set<string> {
  const counts = (slot: Slot) => isLabel(slot) && slot.role !== 'heading';
  const [first = [], ...others] = members.map((slots) => slots.filter(counts).map(({ text }) => plainText(text)));
  return new Set(first.filter((text) => others.every((texts) => texts.includes(text))));
}

/** Headings of a table's columns: the cells right before its rows. */
export function headersOf({ slots }: Filling, { role, members }: SlotGroup): Slot[] {
  if (role !== 'table-row') return [];
  const first = slots.findIndex(({ id }) => id === members[0]?.[0]);
  const before = slots.slice(0, Math.max(0, first));
  return before.slice(before.findLastIndex((slot) => slot.role !== 'table-cell') + 1);
}

/** The last cell stands under the last heading: the first heading may be empty. */
export function columnsOf(slots: Slot[], headers: Slot[]): Map<Slot, string> {
  const cells = slots.filter(({ role }) => role === 'table-cell');
  const header = (i: number) => headers.at(i - cells.length);
  return new Map(
    cells.flatMap((cell, i) =>
      header(i) && headers.length <= cells.length ? [[cell, plainText(header(i)!.text)]] : [],
    ),
  );
}
