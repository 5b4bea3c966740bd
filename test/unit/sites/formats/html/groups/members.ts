import type { MemberOrder } from '../../../../../../src/sites/formats/memberOrder.ts';
import {
  memberRanges,
  reorderMembers,
  usableGroups,
} from '../../../../../../src/sites/formats/html/groups/usableGroups.ts';
import { parseDocument } from '../../../../../../src/sites/formats/html/document.ts';

export const groupsOf = (source: string) =>
  usableGroups(parseDocument(source)).map(({ slotGroup }) => slotGroup);

/** The source with a clone of the group's pattern behind member `after`. */
export const addMember = (source: string, groupId: string, after: number): string =>
  changed(source, [groupId, after], (order) => order.splice(after + 1, 0, 'clone'));

/** The source without member `index` of a group. */
export const removeMember = (source: string, groupId: string, index: number): string =>
  changed(source, [groupId, index], (order) => order.splice(index, 1));

function changed(
  source: string,
  [groupId, index]: [string, number],
  change: (order: MemberOrder) => void,
): string {
  const page = parseDocument(source);
  memberRanges(page, groupId, [index]);
  const group = groupsOf(source).find(({ id }) => id === groupId)!;
  const order: MemberOrder = [...group.members.keys()];
  change(order);
  const arranged = reorderMembers(page, groupId, { order });
  return arranged.bom + arranged.source;
}
