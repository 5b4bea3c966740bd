import { mapById } from '../../../contract/mapById.ts';
import { limits } from '../../../contract/task.ts';
import type { GroupCounts, Slot, SlotGroup } from '../../../sites/formats/page.ts';
import { slotOf } from '../../page/memberSlots.ts';

/** A member that is a copy: its group with the group's mark, and its slots with the copy's. */
export interface Copy {
  group: SlotGroup;
  mark: string;
  slots: Slot[];
}

/** A page's slots in document order, when its groups have other numbers of members. */
export interface Arranged {
  slots: Slot[];
  /** Members that were put in. */
  copies: Copy[];
  /** Ids of the groups that the page has, with their marks. */
  groups: ReadonlySet<string>;
  /** Whether these are more slots than a page may have: some are missing. */
  isTooMuch: boolean;
}

/**
 * The slots that a page will have: those of members that go are left out, and those of copies come
 * with `+n` in their ids (`GroupCounts`), as `arrange` of sites/formats/html/groups does it with
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
    const count = counts[group.id + mark] ?? members.length;
    for (let i = 0; i < count && !isTooMuch(); i++) {
      const isCopy = i >= members.length;
      const ids = members[isCopy ? pattern : i]!;
      const own = isCopy ? `${mark}+${i - members.length + 1}` : mark;
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
