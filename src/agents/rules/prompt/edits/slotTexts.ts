import { DomainError } from '../../../../errors.ts';
import type { Edit } from '../../../siteCalls.ts';
import { escapeMarks } from '../../../../sites/pages/slotText.ts';
import { oneLine } from '../../../text/fold.ts';
import { plainText } from '../../../text/marks.ts';
import type { PageReading } from '../../../tools/readPages.ts';

export type ReadSlot = PageReading['slots'][number];

/** Those that say a text: in its own case, or else in any. */
export function saying<T>(things: T[], text: string, read: (thing: T) => string): T[] {
  const wanted = oneLine(text);
  const same = things.filter((thing) => oneLine(read(thing)) === wanted);
  return same.length > 0
    ? same
    : things.filter((thing) => oneLine(read(thing)).toLowerCase() === wanted.toLowerCase());
}

/** The edit that writes a plain text into a slot. */
export const setText = (slug: string, { id }: Pick<ReadSlot, 'id'>, text: string): Edit => ({
  name: 'set_texts',
  arguments: { slug, edits: [{ id, text: escapeMarks(text) }] },
});

/**
 * Writes one text into slots, and into those of the roles `followers` that said the same as the
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

const NAMED = 10;
/** Some names in a message: the first ones, where there are many. */
export const listed = (names: string[]) =>
  names.slice(0, NAMED).join(', ') + (names.length > NAMED ? ' and more' : '');

export const refuse = (problem: string) => new DomainError('INVALID_INPUT', problem);
