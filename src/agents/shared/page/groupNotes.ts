import { MAX_MEMBERS, type TextSlot, type SlotGroup } from '../../../sites/formats/pageParts.ts';
import type { ListEntry } from '../context/listEntries.ts';
import { plainText } from '../text/parseMarks.ts';
import { isOwnText } from './writeMember.ts';
import { listMemberSlots } from './memberSlots.ts';

/** What a person should check in a group. `name`: the list of the context. */
export const groupSentences = {
  empty: (name: string) =>
    `the list "${name}" of the context is empty, so the page keeps the list of the template`,
  omitted: (name: string, omittedCount: number, entryCount: number) =>
    `${omittedCount} of the ${entryCount} entries of "${name}" are left out, because a list can have at most ${MAX_MEMBERS}`,
  oldData: (name: string, memberCount: number) =>
    `the structured data mirrors "${name}" but still has ${memberCount} entries`,
  copied: (name: string, entryNumber: number) =>
    `links and images of the new entries of "${name}" are copied from entry ${entryNumber}`,
};

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
  if (omittedCount > 0) notes.push(groupSentences.omitted(name, omittedCount, entries.length));
  if (usedCount > members.length && isRepeatedInData(slots, members.flat()))
    notes.push(groupSentences.oldData(name, members.length));
  if (
    usedCount > members.length &&
    members[group.pattern]!.some(
      (slot) => isCopiedTarget(slot) && !sharedTexts.has(plainText(slot.text)),
    )
  )
    notes.push(groupSentences.copied(name, group.pattern + 1));
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
