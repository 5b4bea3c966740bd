import type { RulesEdit } from '../../../shared/tools/rulesCalls.ts';
import { escapeMarks } from '../../../../sites/pages/texts/slotText.ts';
import { toSingleLine } from '../../../shared/text/foldText.ts';
import { plainText } from '../../../shared/text/parseMarks.ts';
import type { PageReading } from '../../../shared/tools/searchPages.ts';
import { createSiteCall } from './siteQueries.ts';

export type ReadSlot = PageReading['slots'][number];

/** The things that fit. If none fits, all of them. */
export function preferFitting<T>(things: T[], fits: (thing: T) => boolean): T[] {
  const fittingThings = things.filter(fits);
  return fittingThings.length > 0 ? fittingThings : things;
}

/** The things that have a text in the same letter case. If there are none, those in any case. */
export function selectByText<T>(things: T[], text: string, readText: (thing: T) => string): T[] {
  const wantedText = toSingleLine(text);
  return preferFitting(
    things.filter(
      (thing) => toSingleLine(readText(thing)).toLowerCase() === wantedText.toLowerCase(),
    ),
    (thing) => toSingleLine(readText(thing)) === wantedText,
  );
}

/** The slots whose whole text is `text`, compared without inline tags (`Call <1>us</1>`). */
export const selectSlotsByText = <T extends { text: string }>(slots: T[], text: string): T[] =>
  selectByText(slots, text, (slot) => plainText(slot.text));

/** The edit that writes a plain text into a slot. */
export const createTextEdit = (
  slug: string,
  { id }: Pick<ReadSlot, 'id'>,
  text: string,
): RulesEdit => createSiteCall('set_texts', { slug, edits: [{ id, text: escapeMarks(text) }] });

/**
 * The edits that write a text into slots, and into other slots that repeat the old text.
 * @param changedSlots the slots to change; the first one has the old text
 * @param followers roles of slots that also change if they have the old text, such as
 *   'structured-data'
 */
export function createSameTextEdits(
  { slug, slots }: PageReading,
  changedSlots: Pick<ReadSlot, 'id' | 'text'>[],
  followers: ReadSlot['role'][],
  text: string,
): RulesEdit[] {
  const oldText = plainText(changedSlots[0]!.text);
  const followingSlots = slots.filter(
    (slot) => oldText !== text && followers.includes(slot.role) && plainText(slot.text) === oldText,
  );
  return [...changedSlots, ...followingSlots].map((slot) => createTextEdit(slug, slot, text));
}
