import { type Note, noteOn } from '../../../../contract/task.ts';
import { plainText } from '../../../text/marks.ts';
import type { Group, Item } from './findItems.ts';
import { refuse } from './refuse.ts';

/**
 * The texts of a new member: the given ones in their order, and those that all members share. If
 * some are missing, links and buttons keep the copied member's text. Other texts become empty, and
 * notes report them.
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
  if (given.length > own.length)
    throw refuse(
      `an item of this group has ${own.length} texts of its own (${rolesOf(own)}), and ${given.length} are given`,
    );
  const lacking = own.slice(given.length);
  const texts = pattern.map((slot) => {
    const at = own.indexOf(slot);
    return given[at] ?? (at === -1 || isLink(slot) ? slot.text : '');
  });
  const item = `the new item "${given[0]}"`;
  const emptied = lacking.filter((slot) => !isLink(slot));
  const says = lacking.filter(isLink).map(({ role, text }) =>
    noteOn(slug, 'part', `the ${role} of ${item} still says "${plainText(text)}"`, {
      value: plainText(text),
    }),
  );
  if (emptied.length === 0) return { texts, notes: says };
  const empty = noteOn(
    slug,
    'part',
    `${item} has no text in these places, which are empty: ${rolesOf(emptied)}`,
  );
  return { texts, notes: [empty, ...says] };
}

const isLink = ({ role }: Item[number]) => role === 'link' || role === 'button';
const rolesOf = (texts: Item) => texts.map(({ role }) => role.replace('-', ' ')).join(', ');
