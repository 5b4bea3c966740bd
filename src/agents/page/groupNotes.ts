import { MOST_MEMBERS, type Slot, type SlotGroup } from '../../sites/formats/page.ts';
import type { Entry } from '../context/listEntries.ts';
import { plainText } from '../text/marks.ts';
import { isOwn } from './member.ts';
import { slotsOf } from './memberSlots.ts';

/** A warning for people about a group whose number of members changed. */
export function notesOn(
  slots: readonly Slot[],
  group: SlotGroup,
  { name, entries }: { name: string; entries: Entry[] },
  common: Set<string>,
): string[] {
  const members = slotsOf(slots, { group, mark: '' });
  const used = Math.min(entries.length, MOST_MEMBERS);
  const left = entries.length - used;
  const notes = [];
  if (left > 0)
    notes.push(
      `${left} of the ${entries.length} entries of "${name}" are left out: ${MOST_MEMBERS} are possible`,
    );
  if (used > members.length && isMirrored(slots, members.flat()))
    notes.push(`the structured data repeats "${name}" and keeps ${members.length} entries`);
  if (
    used > members.length &&
    members[group.pattern]!.some((slot) => isCopied(slot) && !common.has(plainText(slot.text)))
  )
    notes.push(
      `links and images of the new entries of "${name}" are copies of those of entry ${group.pattern + 1}`,
    );
  return notes;
}

/** Whether structured data repeats the texts of a group. */
function isMirrored(slots: readonly Slot[], members: Slot[]): boolean {
  const texts = new Set(members.filter(isOwn).map(({ text }) => text));
  return slots.some(
    ({ role, text }) => role === 'structured-data' && text.length > 3 && texts.has(text),
  );
}

const isCopied = ({ id, role }: Slot) => role === 'link' || role === 'button' || id.includes('.');
