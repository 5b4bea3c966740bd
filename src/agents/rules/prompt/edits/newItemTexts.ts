import { type Note, createPageNote } from '../../../../contract/task.ts';
import { plainText } from '../../../shared/text/parseMarks.ts';
import type { ListedGroup, GroupItem } from './findGroupItems.ts';
import { createInstructionError } from './instructionError.ts';

/**
 * The texts of a new member of a group, which is a copy of another: the given texts in their order,
 * and those that all members share. If the prompt gives no text for a link or button, it keeps the
 * copied one, and a note says so.
 * @throws DomainError INVALID_INPUT if there are too many or too few texts
 */
export function createNewItemTexts(
  { members, pattern: patternIndex }: ListedGroup,
  givenTexts: string[],
  slug: string,
): { texts: string[]; notes: Note[] } {
  const pattern = members[patternIndex]!;
  if (givenTexts.length === pattern.length) return { texts: givenTexts, notes: [] };
  const ownSlots = pattern.filter(
    ({ text }, index) =>
      !members.every((member) => member.length === pattern.length && member[index]!.text === text),
  );
  const missingSlots = ownSlots.slice(givenTexts.length);
  if (givenTexts.length > ownSlots.length || !missingSlots.every(isLinkOrButton))
    throw createInstructionError(
      `an item of this group has ${ownSlots.length} own texts (${listRoles(ownSlots)}), but the prompt gives ${givenTexts.length}`,
    );
  const notes = missingSlots.map(({ role, text }) =>
    createPageNote(
      slug,
      'part',
      `the ${role} of the new item "${givenTexts[0]}" still says "${plainText(text)}"`,
      {
        value: plainText(text),
      },
    ),
  );
  return { texts: pattern.map((slot) => givenTexts[ownSlots.indexOf(slot)] ?? slot.text), notes };
}

const isLinkOrButton = ({ role }: GroupItem[number]) => role === 'link' || role === 'button';
const listRoles = (texts: GroupItem) => texts.map(({ role }) => role.replace('-', ' ')).join(', ');
