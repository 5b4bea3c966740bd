import type { MemberSelection } from './pageParts.ts';

/** The new members of a group: old ones by their index, and clones of its pattern. */
export type MemberOrder = (number | 'clone')[];

/** How many members a group gets. */
export const memberCount = (size: number | MemberSelection): number =>
  typeof size === 'number' ? size : size.members;

/**
 * The members of a group after a change of its size, in order. New members are clones at the end.
 * @param currentCount how many members the group has now
 */
export function createMemberOrder(
  size: number | MemberSelection,
  currentCount: number,
): MemberOrder {
  const members = memberCount(size);
  const keptMembers =
    typeof size === 'number' ? Array.from({ length: currentCount }, (_, i) => i) : size.keep;
  return Array.from({ length: members }, (_, i) => keptMembers[i] ?? 'clone');
}
