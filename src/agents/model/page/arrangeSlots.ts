import { mapById } from '../../../contract/mapById.ts';
import { limits } from '../../../contract/task.ts';
import type { GroupSizes, TextSlot, SlotGroup } from '../../../sites/formats/pageParts.ts';
import { createMemberOrder } from '../../../sites/formats/memberOrder.ts';
import { findMarkedSlot } from '../../shared/page/memberSlots.ts';

/**
 * A copied member, which is a block of a group that the new page has and the template has not. A
 * mark is the ending that the ids of a copy have, such as `+1`. `mark` is that of the copy around
 * the group, or ''; `slots` have the copy's own mark.
 */
export interface CopiedMember {
  group: SlotGroup;
  mark: string;
  slots: TextSlot[];
}

/** A page's slots in document order, after its groups got other numbers of members. */
export interface ArrangedSlots {
  slots: TextSlot[];
  /** Members that were added. */
  copies: CopiedMember[];
  /** Ids of the page's groups, with the marks of the copies that contain them. */
  groups: ReadonlySet<string>;
  /** Whether the page would have too many slots. Then some are missing here. */
  isTooMuch: boolean;
}

/**
 * The slots that a page will have after its groups get other numbers of members. Removed members'
 * slots are left out. Copied members' slots have `+n` in their ids: with `{ g10: 3 }` for a group
 * of two cards, `s12` of the copied card is `s12+1` (see `GroupSizes`). `arrangeGroups` in
 * sites/formats/html/groups does the same with the page itself.
 */
export function arrangeSlots(
  slots: readonly TextSlot[],
  groups: readonly SlotGroup[],
  counts: GroupSizes,
): ArrangedSlots {
  const slotsById = mapById(slots);
  const arranged: TextSlot[] = [];
  const copies: CopiedMember[] = [];
  const writtenGroups = new Set<string>();
  const isTooMuch = () => arranged.length > limits.pageSlots;

  const writeSlots = (
    ids: readonly string[],
    availableGroups: readonly SlotGroup[],
    mark: string,
  ) => {
    const owners = findOutermostGroups(availableGroups);
    for (const id of ids) {
      const group = owners.get(id);
      if (isTooMuch()) return;
      if (!group)
        arranged.push(
          ...findMarkedSlot([...(slotsById.get(id) ? [slotsById.get(id)!] : [])], id, mark),
        );
      else if (!writtenGroups.has(group.id + mark)) writeGroup(group, availableGroups, mark);
    }
  };
  const writeGroup = (group: SlotGroup, availableGroups: readonly SlotGroup[], mark: string) => {
    writtenGroups.add(group.id + mark);
    const { members, pattern } = group;
    const order = createMemberOrder(counts[group.id + mark] ?? members.length, members.length);
    let cloneCount = 0;
    for (const entry of order) {
      if (isTooMuch()) return;
      const isCopy = entry === 'clone';
      const ids = members[isCopy ? pattern : entry]!;
      const memberMark = isCopy ? `${mark}+${++cloneCount}` : mark;
      const firstIndex = arranged.length;
      writeSlots(ids, findInnerGroups(group, availableGroups, ids), memberMark);
      if (isCopy) copies.push({ group, mark, slots: arranged.slice(firstIndex) });
    }
  };
  writeSlots(
    slots.map(({ id }) => id),
    groups,
    '',
  );
  return { slots: arranged, copies, groups: writtenGroups, isTooMuch: isTooMuch() };
}

/** The outermost group of each slot. */
function findOutermostGroups(groups: readonly SlotGroup[]): Map<string, SlotGroup> {
  const owners = new Map<string, SlotGroup>();
  const groupsWithIds = groups.map((group) => ({ group, ids: group.members.flat() }));
  for (const { group, ids } of groupsWithIds.sort(
    (first, second) => second.ids.length - first.ids.length,
  ))
    for (const id of ids) if (!owners.has(id)) owners.set(id, group);
  return owners;
}

function findInnerGroups(
  outer: SlotGroup,
  groups: readonly SlotGroup[],
  ids: readonly string[],
): SlotGroup[] {
  const memberIds = new Set(ids);
  return groups.filter(
    (group) => group !== outer && group.members.flat().every((id) => memberIds.has(id)),
  );
}
