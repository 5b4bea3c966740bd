import { mapById } from '../../../contract/mapById.ts';
import { limits } from '../../../contract/task.ts';
import type { GroupCounts, Slot, SlotGroup } from '../../../sites/formats/page.ts';
import { orderOf } from '../../../sites/formats/groupOrder.ts';
import { slotOf } from '../../page/memberSlots.ts';

/** A copied member: its group with the group's mark, and its slots with the copy's mark. */
export interface Copy {
  group: SlotGroup;
  mark: string;
  slots: Slot[];
}

/** A page's slots in document order, after its groups got other numbers of members. */
export interface Arranged {
  slots: Slot[];
  /** Members that were added. */
  copies: Copy[];
  /** Ids of the page's groups, with their marks. */
  groups: ReadonlySet<string>;
  /** Whether the page would have too many slots. Then some are missing here. */
  isTooMuch: boolean;
}

/**
 * The slots that a page will have. Removed members' slots are left out. Copied members' slots have
 * `+n` in their ids (see `GroupCounts`). `arrange` in sites/formats/html/groups does the same with
 * the page itself.
 */
export function arrangedSlots(
  slots: readonly Slot[],
  groups: readonly SlotGroup[],
  counts: GroupCounts,
): Arranged {
  const byId = mapById(slots);
  const arranged: Slot[] = [];
  const copies: Copy[] = [];
  const found = new Set<string>();
  const isTooMuch = () => arranged.length > limits.pageSlots;

  const write = (ids: readonly string[], inside: readonly SlotGroup[], mark: string) => {
    const owners = ownersOf(inside);
    for (const id of ids) {
      const group = owners.get(id);
      if (isTooMuch()) return;
      if (!group) arranged.push(...slotOf([...(byId.get(id) ? [byId.get(id)!] : [])], id, mark));
      else if (!found.has(group.id + mark)) writeGroup(group, inside, mark);
    }
  };
  const writeGroup = (group: SlotGroup, inside: readonly SlotGroup[], mark: string) => {
    found.add(group.id + mark);
    const { members, pattern } = group;
    const order = orderOf(counts[group.id + mark] ?? members.length, members.length);
    let clones = 0;
    for (const entry of order) {
      if (isTooMuch()) return;
      const isCopy = entry === 'clone';
      const ids = members[isCopy ? pattern : entry]!;
      const own = isCopy ? `${mark}+${++clones}` : mark;
      const first = arranged.length;
      write(ids, innerOf(group, inside, ids), own);
      if (isCopy) copies.push({ group, mark, slots: arranged.slice(first) });
    }
  };
  write(
    slots.map(({ id }) => id),
    groups,
    '',
  );
  return { slots: arranged, copies, groups: found, isTooMuch: isTooMuch() };
}

/** The outermost group of each slot. */
function ownersOf(groups: readonly SlotGroup[]): Map<string, SlotGroup> {
  const owners = new Map<string, SlotGroup>();
  const sized = groups.map((group) => ({ group, ids: group.members.flat() }));
  for (const { group, ids } of sized.sort((a, b) => b.ids.length - a.ids.length))
    for (const id of ids) if (!owners.has(id)) owners.set(id, group);
  return owners;
}

function innerOf(
  outer: SlotGroup,
  groups: readonly SlotGroup[],
  ids: readonly string[],
): SlotGroup[] {
  const own = new Set(ids);
  return groups.filter(
    (group) => group !== outer && group.members.flat().every((id) => own.has(id)),
  );
}
