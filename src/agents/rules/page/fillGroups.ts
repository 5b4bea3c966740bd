import {
  MOST_MEMBERS,
  type GroupRole,
  type Slot,
  type SlotGroup,
} from '../../../sites/formats/page.ts';
import type { Section } from '../../context/contextData.ts';
import { emptyEntry, entriesOf, lineEntries, type Entry } from '../../context/listEntries.ts';
import type { Filling } from '../../page/filling.ts';
import { isOwn, isSame, writeMember, type Member } from '../../page/member.ts';
import { notesOn } from '../../page/groupNotes.ts';
import {
  columnsOf,
  commonTexts,
  headersOf,
  slotOf,
  slotsOf,
  type GroupAt,
} from '../../page/memberSlots.ts';
import { allParts, takeOut, type Part } from './pageParts.ts';

/** A list of the context. `name` is its name in warnings. */
interface List {
  name: string;
  entries: Entry[];
}

/**
 * A member of a group on the new page: the ids of its slots in the template, and the mark that a
 * clone adds to these ids.
 */
interface MemberAt extends Member {
  ids: string[];
  mark: string;
}

/**
 * Puts the lists of a section into the groups of its part of the page. A group gets one member for
 * each entry of its list. A filled group is removed from the part.
 * @param role fills only a group with this role, if the part has exactly one
 * @returns the rest of the section
 */
export function fillGroups(
  filling: Filling,
  part: Part,
  section: Section,
  role?: GroupRole,
): Section {
  let rest = section;
  if (section.isEmptyList)
    filling.note(`the list "${section.name}" of the context is empty: the template's stays`);
  for (const kind of ['sections', 'items'] as const) {
    const entries = entriesOf(rest, kind);
    const group = entries.length > 0 ? groupFor(filling, part, entries, role) : undefined;
    if (!group) continue;
    const at = { group, mark: '' };
    const old = new Set(slotsOf(filling.slots, at).flat());
    filling.replaceMembers(
      group,
      section,
      fillMembers(filling, at, { name: section.name, entries }),
    );
    takeOut(part, old);
    rest = { ...rest, [kind]: [] };
  }
  return rest;
}

const headed = (part: Part, top: Part) =>
  part.heading && part !== top ? [part.heading, ...part.slots] : part.slots;

/**
 * The group for a list: of the outermost groups in the part, the one that fits the entries best.
 */
function groupFor(
  { groups, slots }: Filling,
  part: Part,
  entries: Entry[],
  role?: GroupRole,
): SlotGroup | undefined {
  const inside = new Set(allParts(part).flatMap((own) => headed(own, part)));
  const ids = new Set([...inside].map(({ id }) => id));
  const shown = new Map(slots.map((slot) => [slot.id, slot]));
  const known = groups.filter(({ members }) => {
    const own = members.map((member) => member.filter((id) => shown.has(id)));
    return own.every(
      (member) => member.some((id) => isOwn(shown.get(id)!)) && member.every((id) => ids.has(id)),
    );
  });
  const isString = entries.every(({ heading }) => heading === null);
  const liking = isString
    ? ['list-item', 'other', 'question', 'card', 'table-row']
    : ['card', 'question', 'table-row', 'other', 'list-item'];
  const fitting = outermost(known).filter((group) => role === undefined || group.role === role);
  if (role !== undefined && fitting.length > 1) return undefined;
  return fitting.sort((a, b) => liking.indexOf(a.role) - liking.indexOf(b.role))[0];
}

const outermost = (groups: SlotGroup[]) =>
  groups.filter(
    (inner) => !groups.some((outer) => outer !== inner && liesIn(inner, outer.members.flat())),
  );

const liesIn = ({ members }: SlotGroup, ids: string[]) =>
  members.flat().every((id) => ids.includes(id));

/** Fills a group's members, and returns their slots. */
function fillMembers(filling: Filling, at: GroupAt, list: List): Slot[] {
  const { group, mark } = at;
  const used = list.entries.slice(0, MOST_MEMBERS);
  const old = slotsOf(filling.slots, at);
  const common = commonTexts(old);
  const headers = headersOf(filling.slots, group);
  if (used.length !== old.length) filling.count(group.id + mark, used.length);
  for (const note of notesOn(filling.slots, group, list, common)) filling.note(note);
  return used.flatMap((entry, i) => {
    const isClone = i >= old.length;
    const ids = group.members[isClone ? group.pattern : i]!;
    const own = isClone ? `${mark}+${i - old.length + 1}` : mark;
    const slots = ids.flatMap((id) => slotOf(filling.slots, id, own));
    const member = {
      group,
      slots,
      columns: columnsOf(slots, headers),
      common,
      isClone,
      ids,
      mark: own,
    };
    return fillMember(filling, member, entry, list.name);
  });
}

/** Fills one member with its entry, and returns its slots. */
function fillMember(filling: Filling, member: MemberAt, entry: Entry, name: string): Slot[] {
  const list = fillInnerList(filling, member, entry, name);
  const paragraphs = list ? entry.paragraphs : [...entry.paragraphs, ...entry.items];
  const rest = { ...member, slots: member.slots.filter(({ id }) => !list?.taken.has(id)) };
  const { texts, unplaced, missing } = writeMember(rest, { ...entry, paragraphs });
  for (const [slot, text] of texts) {
    filling.put(slot, text);
    // if the text does not fit (an invalid telephone number), the slot must not keep another
    // entry's
    if (!filling.texts.has(slot)) filling.put(slot, '');
  }
  const label = entry.heading ?? entry.line ?? 'an entry';
  const whose = entry === emptyEntry ? `"${name}"` : `"${label}" of "${name}"`;
  for (const what of unplaced) filling.reportUnplaced(`${name} (${label}: ${what})`);
  if (missing.length > 0)
    filling.note(
      `${whose} says no ${[...new Set(missing)].join(', no ')}: its place is left empty`,
    );
  return list ? withList(member.slots, list) : member.slots;
}

interface InnerList {
  /** Ids of the inner list's slots in the template. */
  taken: Set<string>;
  slots: Slot[];
}

/**
 * Fills the list inside a member with the entry's items. If the entry has none and the member shows
 * another entry, the list shrinks to one empty item. null if the member has no list, or keeps its
 * list unchanged.
 */
function fillInnerList(
  filling: Filling,
  member: MemberAt,
  entry: Entry,
  name: string,
): InnerList | null {
  const inside = filling.groups.filter(
    (other) => other !== member.group && liesIn(other, member.ids),
  );
  const at = outermost(inside)
    .map((group): GroupAt => ({ group, mark: member.mark }))
    .find((inner) => slotsOf(filling.slots, inner).flat().some(isOwn));
  if (!at) return null;
  const own = entry.entries.length > 0 ? entry.entries : lineEntries(entry.items);
  if (own.length === 0 && isSame(member, entry)) return null;
  const old = slotsOf(filling.slots, at).flat();
  const list = {
    name: `${name}: ${entry.heading ?? ''}`,
    entries: own.length > 0 ? own : [emptyEntry],
  };
  return { taken: new Set(old.map(({ id }) => id)), slots: fillMembers(filling, at, list) };
}

function withList(slots: Slot[], { taken, slots: own }: InnerList): Slot[] {
  const at = slots.findIndex(({ id }) => taken.has(id));
  return slots.filter(({ id }) => !taken.has(id)).toSpliced(at, 0, ...own);
}
