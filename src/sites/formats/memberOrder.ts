import type { MemberSelection } from './pageParts.ts';

/** The new members of a group: old ones by their index, and clones of its pattern. */
export type MemberOrder = (number | 'clone')[];

export const memberCount = (size: number | MemberSelection): number =>
  typeof size === 'number' ? size : size.members;

/** The members of a group of a new size, in order. @param currentCount how many it has */
export function createMemberOrder(
  size: number | MemberSelection,
  currentCount: number,
): MemberOrder {
  const members = memberCount(size);
  const keptMembers =
    typeof size === 'number' ? Array.from({ length: currentCount }, (_, i) => i) : size.keep;
  return Array.from({ length: members }, (_, i) => keptMembers[i] ?? 'clone');
}
