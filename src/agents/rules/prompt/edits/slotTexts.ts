import type { Edit } from '../../../siteCalls.ts';
import { escapeMarks } from '../../../../sites/pages/slotText.ts';
import { oneLine } from '../../../text/fold.ts';
import { plainText } from '../../../text/marks.ts';
import type { PageReading } from '../../../tools/readPages.ts';
import { call } from './askSite.ts';

export type ReadSlot = PageReading['slots'][number];

/** Those of the things that fit. If none fits, all of them. */
export function preferring<T>(things: T[], fits: (thing: T) => boolean): T[] {
  const fitting = things.filter(fits);
  return fitting.length > 0 ? fitting : things;
}

/** Those of the things that have a text in the same letter case. If there are none, in any case. */
export function saying<T>(things: T[], text: string, read: (thing: T) => string): T[] {
  const wanted = oneLine(text);
  return preferring(
    things.filter((thing) => oneLine(read(thing)).toLowerCase() === wanted.toLowerCase()),
    (thing) => oneLine(read(thing)) === wanted,
  );
}

/** The slots that have a text, compared without marks. */
export const slotsSaying = <T extends { text: string }>(slots: T[], text: string): T[] =>
  saying(slots, text, (slot) => plainText(slot.text));

/** The edit that writes a plain text into a slot. */
export const setText = (slug: string, { id }: Pick<ReadSlot, 'id'>, text: string): Edit =>
  call('set_texts', { slug, edits: [{ id, text: escapeMarks(text) }] });

/**
 * Writes a text into slots. Also into slots of the roles `followers` that had the same text as the
 * first of them.
 */
export function setAlike(
  { slug, slots }: PageReading,
  changed: Pick<ReadSlot, 'id' | 'text'>[],
  followers: ReadSlot['role'][],
  text: string,
): Edit[] {
  const old = plainText(changed[0]!.text);
  const same = slots.filter(
    (slot) => old !== text && followers.includes(slot.role) && plainText(slot.text) === old,
  );
  return [...changed, ...same].map((slot) => setText(slug, slot, text));
}
