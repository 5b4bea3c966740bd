import { resultOrNull } from '../../../../errors.ts';
import { isWithin, type TextRange } from '../../../../text/textRange.ts';
import { invalidInput } from '../../../invalidInput.ts';
import { getOrCreate } from '../../../remembered.ts';
import { type MemberOrder, unknownGroupError } from '../../memberOrder.ts';
import { arrangeGroups } from './arrangeGroups.ts';
import type { HtmlDocument } from '../document.ts';
import { findGroups, type ElementGroup, type GroupMember } from './findGroups.ts';
import { findSlotPlaces } from '../slots/findSlotPlaces.ts';

/**
 * The groups of a page that can be changed. Tries to add and remove members, and returns none if a
 * parser would misread one of these pages.
 */
export const usableGroups = (page: HtmlDocument): ElementGroup[] =>
  getOrCreate(cachedGroups, page.elementNumbers, () => findUsableGroups(page));

const cachedGroups = new WeakMap<HtmlDocument['elementNumbers'], ElementGroup[]>();

function findUsableGroups(page: HtmlDocument): ElementGroup[] {
  const places = findSlotPlaces(page);
  const groups = findGroups(page, places);
  if (groups.length === 0) return groups;
  const growOrders = groups.map((group): [string, MemberOrder] => [
    group.slotGroup.id,
    [...group.members.keys(), 'clone'],
  ]);
  const isFirst = (group: ElementGroup) =>
    groups.every(
      (otherGroup) => !otherGroup.members.slice(1).some((member) => isWithin(group, member)),
    );
  const shrinkOrders = groups
    .filter(isFirst)
    .map(({ slotGroup }): [string, MemberOrder] => [slotGroup.id, [0]]);
  const canArrange = (orders: [string, MemberOrder][]) =>
    resultOrNull(() => arrangeGroups(page, places, groups, new Map(orders))) !== null;
  return canArrange(growOrders) && canArrange(shrinkOrders) ? groups : [];
}

function findGroup(page: HtmlDocument, id: string) {
  const places = findSlotPlaces(page);
  const groups = usableGroups(page);
  const group = groups.find(({ slotGroup }) => slotGroup.id === id);
  if (!group) throw unknownGroupError(id);
  return { places, groups, group };
}

function checkMember({ slotGroup, members }: ElementGroup, index: number): GroupMember {
  const member = members[index];
  if (member) return member;
  throw invalidInput(
    `Group ${slotGroup.id} has the members 0 to ${members.length - 1}, but no member ${index}`,
  );
}

/**
 * Changes the members of a group. Clones are made of its pattern. The element numbers in the nth
 * clone end with `+n`.
 * @throws INVALID_INPUT for an unknown group or index
 */
export function reorderMembers(
  page: HtmlDocument,
  groupId: string,
  { order }: { order: MemberOrder },
): HtmlDocument {
  const { places, groups, group } = findGroup(page, groupId);
  for (const entry of order) if (entry !== 'clone') checkMember(group, entry);
  return arrangeGroups(page, places, groups, new Map([[group.slotGroup.id, order]])).page;
}

/** The source ranges of a group's members. Throws INVALID_INPUT for an unknown group or index. */
export function memberRanges(page: HtmlDocument, groupId: string, indexes: number[]): TextRange[] {
  const { group } = findGroup(page, groupId);
  return indexes.map((index) => checkMember(group, index));
}
