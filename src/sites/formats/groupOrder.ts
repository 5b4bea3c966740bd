import type { KeptMembers } from './page.ts';

/** The new members of a group: old ones by their index, and clones of its pattern. */
export type Order = (number | 'clone')[];

export const membersIn = (size: number | KeptMembers): number =>
  typeof size === 'number' ? size : size.members;

/** The members of a group of a new size, in order. @param own how many it has */
export function orderOf(size: number | KeptMembers, own: number): Order {
  const members = membersIn(size);
  const kept = typeof size === 'number' ? Array.from({ length: own }, (_, i) => i) : size.keep;
  return Array.from({ length: members }, (_, i) => kept[i] ?? 'clone');
}
