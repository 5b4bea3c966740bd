import type { CellRemark } from '../../contract/check.ts';
import type { GroupCounts, Slot, SlotGroup } from '../../sites/formats/page.ts';
import { plainText } from '../text/marks.ts';
import { unfitIn } from './unfitIn.ts';
import type { Field, Section } from '../context/contextData.ts';

/** What becomes of a template's slots. Only these operations change it. */
export interface Filling {
  /** New plain texts by slot. */
  readonly texts: ReadonlyMap<Slot, string>;
  /** The parts of the context that found no place. */
  readonly unplaced: readonly string[];
  /** What a person should know of the lists. */
  readonly notes: readonly string[];
  /**
   * The new page's slots: the template's, without those of members that go, with those of clones.
   */
  readonly slots: readonly Slot[];
  /** The template's groups that no list has taken yet. */
  readonly groups: readonly SlotGroup[];
  /** How many members groups get; those that are not named keep theirs. */
  readonly counts: Readonly<GroupCounts>;
  /** Ids of slots that somebody says, or that name who. */
  readonly quoted: ReadonlySet<string>;
  /** Lists whose entries are members of a group: what they say is said of one member only. */
  readonly lists: ReadonlySet<Section>;

  /** Fields whose values were written behind a label: facts in them replace no other facts. */
  readonly used: ReadonlySet<Field>;

  /** Texts that were given to slots that they can't fill: the template's stay. */
  readonly unfit: readonly CellRemark[];

  /**
   * Gives a slot its new text. One that shows an address or a number alone takes only another one.
   */
  put(slot: Slot, text: string): void;
  use(field: Field): void;
  /** Leaves a part of the context out: it has no place on the page. */
  leave(name: string): void;
  note(sentence: string): void;
  /**
   * Sets how many members a group gets. `groupId` has a mark behind it for a group inside a clone.
   */
  count(groupId: string, members: number): void;
  /**
   * Puts other slots in the place of a group's, which now show this list: no other list can take
   * the group.
   */
  replaceMembers(group: SlotGroup, list: Section, members: Slot[]): void;
}

/** A filling that leaves the template as it is. */
export function createFilling(template: {
  slots: Slot[];
  groups: SlotGroup[];
  quoted: ReadonlySet<string>;
}): Filling {
  let { slots, groups } = template;
  const texts = new Map<Slot, string>();
  const unplaced: string[] = [];
  const notes: string[] = [];
  const counts: GroupCounts = {};
  const lists = new Set<Section>();
  const used = new Set<Field>();
  const unfit: CellRemark[] = [];
  return {
    unfit,
    texts,
    unplaced,
    notes,
    counts,
    lists,
    quoted: template.quoted,
    get slots() {
      return slots;
    },
    get groups() {
      return groups;
    },
    used,
    use: (field) => void used.add(field),
    put: (slot, text) => {
      const remark = unfitIn(slot, plainText(slot.text), text);
      if (remark) unfit.push(remark);
      else texts.set(slot, text);
    },
    leave: (name) => void unplaced.push(name),
    note: (sentence) => void notes.push(sentence),
    count: (groupId, members) => void (counts[groupId] = members),
    replaceMembers: (group, list, members) => {
      const ids = new Set(group.members.flat());
      const at = slots.findIndex(({ id }) => ids.has(id));
      slots = slots.filter(({ id }) => !ids.has(id)).toSpliced(at, 0, ...members);
      groups = groups.filter((other) => other !== group);
      lists.add(list);
    },
  };
}
