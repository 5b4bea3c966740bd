import type { CellRemark } from '../../../contract/checks.ts';
import type { GroupSizes, TextSlot, SlotGroup } from '../../../sites/formats/pageParts.ts';
import { plainText } from '../text/parseMarks.ts';
import { findSlotProblem } from './findSlotProblem.ts';
import type { ContextField, ContextSection } from '../context/contextData.ts';

/**
 * The planned changes to a template's slots, while an agent fills them in. Only these functions
 * change it.
 */
export interface PageFilling {
  /** New plain texts by slot. */
  readonly texts: ReadonlyMap<TextSlot, string>;
  /** The parts of the context that have no place on the page. */
  readonly unplaced: readonly string[];
  /** Sentences for people on how lists were filled in. */
  readonly notes: readonly string[];
  /** The new page's slots: the template's, without removed members, with cloned members. */
  readonly slots: readonly TextSlot[];
  /** The template's groups that no list uses yet. */
  readonly groups: readonly SlotGroup[];
  /** The new number of members of groups; other groups keep theirs. */
  readonly counts: Readonly<GroupSizes>;
  /** Ids of slots with quotes or the names of quoted persons. */
  readonly quoted: ReadonlySet<string>;
  /** Lists whose entries became members of a group. Their facts belong to one member only. */
  readonly lists: ReadonlySet<ContextSection>;

  /**
   * Fields whose values were written after a label of the page. Facts in them replace no other
   * facts.
   */
  readonly used: ReadonlySet<ContextField>;

  /** Texts that do not fit their slots. These keep the template's text. */
  readonly unfit: readonly CellRemark[];

  /**
   * Gives a slot its new text. If the slot only shows an address or a number and the text is
   * something else, the text is added to `unfit` instead.
   */
  put(slot: TextSlot, text: string): void;
  use(field: ContextField): void;
  /** Records a part of the context that has no place on the page. */
  reportUnplaced(name: string): void;
  note(sentence: string): void;
  /**
   * Sets the number of a group's members. `groupId` ends with a mark for a group inside a clone.
   */
  count(groupId: string, members: number): void;
  /**
   * Replaces a group's slots by slots that show this list. No other list can use the group after
   * that.
   */
  replaceMembers(group: SlotGroup, list: ContextSection, members: TextSlot[]): void;
}

/** Makes a filling that leaves the template unchanged. */
export function createPageFilling(template: {
  slots: TextSlot[];
  groups: SlotGroup[];
  quoted: ReadonlySet<string>;
}): PageFilling {
  let { slots, groups } = template;
  const texts = new Map<TextSlot, string>();
  const unplaced: string[] = [];
  const notes: string[] = [];
  const counts: GroupSizes = {};
  const lists = new Set<ContextSection>();
  const used = new Set<ContextField>();
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
      const remark = findSlotProblem(slot, plainText(slot.text), text);
      if (remark) unfit.push(remark);
      else texts.set(slot, text);
    },
    reportUnplaced: (name) => void unplaced.push(name),
    note: (sentence) => void notes.push(sentence),
    count: (groupId, members) => void (counts[groupId] = members),
    replaceMembers: (group, list, members) => {
      const ids = new Set(group.members.flat());
      const firstIndex = slots.findIndex(({ id }) => ids.has(id));
      slots = slots.filter(({ id }) => !ids.has(id)).toSpliced(firstIndex, 0, ...members);
      groups = groups.filter((otherGroup) => otherGroup !== group);
      lists.add(list);
    },
  };
}
