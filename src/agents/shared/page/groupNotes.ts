import { MAX_MEMBERS, type TextSlot, type SlotGroup } from '../../../sites/formats/pageParts.ts';
import type { ListEntry } from '../context/listEntries.ts';
import { plainText } from '../text/parseMarks.ts';
import { isOwnText } from './writeMember.ts';
import { listMemberSlots } from './memberSlots.ts';

/**
 * Sentences for notes on a group, such as a list of cards, whose number of members changed.
 * @param sharedTexts labels that all members have, such as "per month"
 */
export function createGroupNotes(
  slots: readonly TextSlot[],
  group: SlotGroup,
  { name, entries }: { name: string; entries: ListEntry[] },
  sharedTexts: Set<string>,
): string[] {
  const members = listMemberSlots(slots, { group, mark: '' });
  const usedCount = Math.min(entries.length, MAX_MEMBERS);
  const omittedCount = entries.length - usedCount;
  const notes = [];
  if (omittedCount > 0)
    notes.push(
      `${omittedCount} of the ${entries.length} entries of "${name}" are left out, because a list can have at most ${MAX_MEMBERS}`,
    );
  if (usedCount > members.length && isRepeatedInData(slots, members.flat()))
    notes.push(`the structured data mirrors "${name}" but still has ${members.length} entries`);
  if (
    usedCount > members.length &&
    members[group.pattern]!.some(
      (slot) => isCopiedTarget(slot) && !sharedTexts.has(plainText(slot.text)),
    )
  )
    notes.push(
      `links and images of the new entries of "${name}" are copied from entry ${group.pattern + 1}`,
    );
  return notes;
}

/** Whether structured data repeats the texts of a group. */
function isRepeatedInData(slots: readonly TextSlot[], members: TextSlot[]): boolean {
  const texts = new Set(members.filter(isOwnText).map(({ text }) => text));
  return slots.some(
    ({ role, text }) => role === 'structured-data' && text.length > 3 && texts.has(text),
  );
}

const isCopiedTarget = ({ id, role }: TextSlot) =>
  role === 'link' || role === 'button' || id.includes('.');
