import { countItems } from '../countItems.ts';
import { invalidInput } from '../invalidInput.ts';
import { type GroupSizes, MAX_MEMBERS, type MemberSelection, type SlotGroup } from './pageParts.ts';

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

interface SizedGroup {
  slotGroup: Pick<SlotGroup, 'id' | 'members'>;
}

/**
 * The orders of members for new sizes of groups. Throws INVALID_INPUT for a size that is not 1 to
 * 12, or if the members to keep are unknown or in another order.
 */
export function createOrders(counts: GroupSizes, groups: SizedGroup[]): Map<string, MemberOrder> {
  const groupsById = new Map(groups.map((group) => [group.slotGroup.id, group]));
  return new Map(
    Object.entries(counts).map(([id, size]) => {
      const count = memberCount(size);
      if (!Number.isInteger(count) || count < 1 || count > MAX_MEMBERS)
        throw invalidInput(`Group ${id} must have 1 to ${MAX_MEMBERS} members, not ${count}`);
      const currentCount = groupsById.get(id.split('+', 1)[0]!)?.slotGroup.members.length ?? 0;
      const order = createMemberOrder(size, currentCount);
      if (
        order.some(
          (entry, i) =>
            entry !== 'clone' && !(entry < currentCount && entry > Number(order[i - 1] ?? -1)),
        )
      )
        throw invalidInput(`Group ${id} must keep only members that it has, in their order`);
      return [id, order];
    }),
  );
}

/** The index of the member to clone for new ones: the last one with the most common structure. */
export function patternIndex(structures: string[]): number {
  const counts = countItems(structures);
  const highestCount = Math.max(...counts.values());
  return structures.findLastIndex((structure) => counts.get(structure) === highestCount);
}

export const unknownGroupError = (id: string) =>
  invalidInput(`The page has no group "${id.slice(0, 40)}"`);
