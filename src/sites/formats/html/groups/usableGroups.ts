import { DomainError } from '../../../../errors.ts';
import { liesIn, type Range } from '../../../../text/range.ts';
import { invalidInput } from '../../../invalidInput.ts';
import { remembered } from '../../../remembered.ts';
import { MOST_MEMBERS, type GroupCounts } from '../../page.ts';
import { membersIn, orderOf, type Order } from '../../groupOrder.ts';
import { arrange } from './arrange.ts';
import type { HtmlDocument } from '../document.ts';
import { findGroups, type Group, type Member } from './findGroups.ts';
import { findSlotPlaces } from '../slots/findSlotPlaces.ts';

/** The groups of a page that can be changed: all, or none if a parser would misread the result. */
export const usableGroups = (page: HtmlDocument): Group[] =>
  remembered(found, page.numbers, () => search(page));

const found = new WeakMap<HtmlDocument['numbers'], Group[]>();

function search(page: HtmlDocument): Group[] {
  const places = findSlotPlaces(page);
  const groups = findGroups(page, places);
  if (groups.length === 0) return groups;
  const grown = groups.map((group): [string, Order] => [
    group.slotGroup.id,
    [...group.members.keys(), 'clone'],
  ]);
  const isFirst = (group: Group) =>
    groups.every((other) => !other.members.slice(1).some((member) => liesIn(group, member)));
  const shrunk = groups
    .filter(isFirst)
    .map(({ slotGroup }): [string, Order] => [slotGroup.id, [0]]);
  const works = (orders: [string, Order][]) => {
    try {
      return arrange(page, places, groups, new Map(orders)) !== undefined;
    } catch (error) {
      if (error instanceof DomainError) return false;
      throw error;
    }
  };
  return works(grown) && works(shrunk) ? groups : [];
}

/**
 * The new orders of members for changed numbers of members. Throws INVALID_INPUT for a number
 * outside 1 to 12.
 */
export function ordersFor(counts: GroupCounts, groups: Group[]): Map<string, Order> {
  const byId = new Map(groups.map((group) => [group.slotGroup.id, group]));
  return new Map(
    Object.entries(counts).map(([id, size]) => {
      const count = membersIn(size);
      if (!Number.isInteger(count) || count < 1 || count > MOST_MEMBERS)
        throw invalidInput(`Group ${id}: ${count} members; 1 to ${MOST_MEMBERS} are possible`);
      const own = byId.get(id.split('+', 1)[0]!)?.members.length ?? 0;
      const order = orderOf(size, own);
      if (
        order.some(
          (entry, i) => entry !== 'clone' && !(entry < own && entry > Number(order[i - 1] ?? -1)),
        )
      )
        throw invalidInput(`Group ${id} keeps members that it has not, or in another order`);
      return [id, order];
    }),
  );
}

function groupIn(page: HtmlDocument, id: string) {
  const places = findSlotPlaces(page);
  const groups = usableGroups(page);
  const group = groups.find(({ slotGroup }) => slotGroup.id === id);
  if (!group) throw invalidInput(`The page has no group "${id.slice(0, 40)}"`);
  return { places, groups, group };
}

function checkMember({ slotGroup, members }: Group, index: number): Member {
  const member = members[index];
  if (member) return member;
  throw invalidInput(
    `Group ${slotGroup.id} has members 0 to ${members.length - 1}, none with ${index}`,
  );
}

/**
 * Changes the members of a group. Clones are made of its pattern. The element numbers in the nth
 * clone end with `+n`.
 */
export function reorder(
  page: HtmlDocument,
  groupId: string,
  { order }: { order: Order },
): HtmlDocument {
  const { places, groups, group } = groupIn(page, groupId);
  for (const entry of order) if (entry !== 'clone') checkMember(group, entry);
  return arrange(page, places, groups, new Map([[group.slotGroup.id, order]])).page;
}

/** The source ranges of a group's members. Throws INVALID_INPUT for an unknown group or index. */
export function membersAt(page: HtmlDocument, groupId: string, indexes: number[]): Range[] {
  const { group } = groupIn(page, groupId);
  return indexes.map((index) => checkMember(group, index));
}
