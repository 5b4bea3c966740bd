import { type Note, noteOn } from '../../../../contract/task.ts';
import { plainText } from '../../../text/marks.ts';
import type { Group, Item } from './findItems.ts';
import { refuse } from './refuse.ts';

/**
 * The texts of a new member: the given ones in their order, and those that all members share. Links
 * and buttons may be left out: they keep the copied member's text, which notes report.
 */
export function textsFor(
  { members, pattern: number }: Group,
  given: string[],
  slug: string,
): { texts: string[]; notes: Note[] } {
  const pattern = members[number]!;
  if (given.length === pattern.length) return { texts: given, notes: [] };
  const own = pattern.filter(
    ({ text }, i) =>
      !members.every((member) => member.length === pattern.length && member[i]!.text === text),
  );
  const lacking = own.slice(given.length);
  if (given.length > own.length || !lacking.every(isLink))
    throw refuse(
      `an item of this group has ${own.length} texts of its own (${rolesOf(own)}), and ${given.length} are given`,
    );
  const notes = lacking.map(({ role, text }) =>
    noteOn(
      slug,
      'part',
      `the ${role} of the new item "${given[0]}" still says "${plainText(text)}"`,
      {
        value: plainText(text),
      },
    ),
  );
  return { texts: pattern.map((slot) => given[own.indexOf(slot)] ?? slot.text), notes };
}

const isLink = ({ role }: Item[number]) => role === 'link' || role === 'button';
const rolesOf = (texts: Item) => texts.map(({ role }) => role.replace('-', ' ')).join(', ');
