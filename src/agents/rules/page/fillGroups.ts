import { MOST_MEMBERS, type GroupRole, type Slot, type SlotGroup } from '../../../sites/pages/format.ts';
import { plainText } from '../../text/marks.ts';
import type { Section } from '../context/data.ts';
import { emptyEntry, entriesOf, type Entry } from './entries.ts';
import type { Filling } from './fill.ts';
import { isOwn, isSame, writeMember, type Member } from './member.ts';
import { columnsOf, commonTexts, headersOf, slotOf, slotsOf } from './memberSlots.ts';
import { allParts, type Part } from './outline.ts';

/**
 * Gives the lists of a section to the groups of the part of the page that it names: a group has as many members as its list has
 * entries, and each shows its own. The part is left without these groups.
 * @param role takes only the one group of this role, if there is one
 * @returns what of the section is left
 */
export function fillGroups(filling: Filling, part: Part, section: Section, role?: GroupRole): Section {
  let rest = section;
  if (section.isEmptyList)
    filling.notes.push(`the list "${section.name}" of the context is empty: the template's stays`);
  for (const kind of ['sections', 'items'] as const) {
    const entries = entriesOf(rest, kind);
    const group = entries.length > 0 ? groupFor(filling, part, entries, role) : undefined;
    if (!group) continue;
    const slots = new Set(slotsOf(filling, group, '').flat());
    fillGroup(filling, group, slots, entries, section.name);
    takeOut(part, slots);
    filling.lists.add(section);
    rest = { ...rest, [kind]: [] };
  }
  return rest;
}

const headed = (part: Part, top: Part) => (part.heading && part !== top ? [part.heading, ...part.slots] : part.slots);

/** The group for a list: of those in the part the outermost that is built for such entries. */
function groupFor({ groups, slots }: Filling, part: Part, entries: Entry[], role?: GroupRole): SlotGroup | undefined {
  const inside = new Set(allParts(part).flatMap((own) => headed(own, part)));
  const ids = new Set([...inside].map(({ id }) => id));
  const shown = new Map(slots.map((slot) => [slot.id, slot]));
  const known = groups.filter(({ members }) => {
    const own = members.map((member) => member.filter((id) => shown.has(id)));
    return own.every((member) => member.some((id) => isOwn(shown.get(id)!)) && member.every((id) => ids.has(id)));
  });
  const isString = entries.every(({ heading }) => heading === null);
  const liking = (isString ? ['list-item', 'other', 'question', 'card', 'table-row'] : ['card', 'question', 'table-row', 'other', 'list-item']); // prettier-ignore
  const fitting = outermost(known).filter((group) => role === undefined || group.role === role);
  if (role !== undefined && fitting.length > 1) return undefined;
  return fitting.sort((a, b) => liking.indexOf(a.role) - liking.indexOf(b.role))[0];
}

const outermost = (groups: SlotGroup[]) =>
  groups.filter((inner) => !groups.some((outer) => outer !== inner && liesIn(inner, outer.members.flat())));

const liesIn = ({ members }: SlotGroup, ids: string[]) => members.flat().every((id) => ids.includes(id));

function fillGroup(filling: Filling, group: SlotGroup, old: Set<Slot>, entries: Entry[], name: string) {
  filling.groups = filling.groups.filter((other) => other !== group);
  const at = filling.slots.findIndex((slot) => old.has(slot));
  const members = fillMembers(filling, group, '', entries, name);
  filling.slots = filling.slots.filter((slot) => !old.has(slot)).toSpliced(at, 0, ...members);
}

/** Slots of the members that a group gets, with what they say. `mark` stands in the ids of slots that are in a clone (`+1`). */
function fillMembers(filling: Filling, group: SlotGroup, mark: string, entries: Entry[], name: string): Slot[] {
  const used = entries.slice(0, MOST_MEMBERS);
  const old = slotsOf(filling, group, mark);
  const common = commonTexts(old);
  const headers = headersOf(filling, group);
  if (used.length !== old.length) filling.counts[group.id + mark] = used.length;
  filling.notes.push(...notesOn(filling, group, { used: used.length, given: entries.length }, common, name));
  return used.flatMap((entry, i) => {
    const isClone = i >= old.length;
    const ids = group.members[isClone ? group.pattern : i]!;
    const own = isClone ? `${mark}+${i - old.length + 1}` : mark;
    const slots = ids.flatMap((id) => slotOf(filling, id, own));
    const member = { group, slots, columns: columnsOf(slots, headers), common, isClone };
    return fillMember(filling, member, { ids, mark: own }, entry, name);
  });
}

/** What a person should know of a group that has another number of members now. */
function notesOn(
  filling: Filling,
  group: SlotGroup,
  { used, given }: { used: number; given: number },
  common: Set<string>,
  name: string,
): string[] {
  const members = slotsOf(filling, group, '');
  const notes = [];
  if (used < given)
    notes.push(`${given - used} of the ${given} entries of "${name}" are left out: ${MOST_MEMBERS} are possible`);
  if (used !== members.length && isMirrored(filling, members.flat()))
    notes.push(`the structured data repeats "${name}" and keeps ${members.length} entries`);
  if (
    used > members.length &&
    members[group.pattern]!.some((slot) => isCopied(slot) && !common.has(plainText(slot.text)))
  )
    notes.push(`links and images of the new entries of "${name}" are copies of those of entry ${group.pattern + 1}`);
  return notes;
}

/** Whether structured data repeats the texts of a group. */
function isMirrored({ slots }: Filling, members: Slot[]): boolean {
  const texts = new Set(members.filter(isOwn).map(({ text }) => text));
  return slots.some(({ role, text }) => role === 'structured-data' && text.length > 3 && texts.has(text));
}

const isCopied = ({ id, role }: Slot) => role === 'link' || role === 'button' || id.includes('.');

/** One member with what its entry says. `ids` are those of the template's member that it is, or is a clone of. */
function fillMember(
  filling: Filling,
  member: Member,
  { ids, mark }: { ids: string[]; mark: string },
  entry: Entry,
  name: string,
): Slot[] {
  const inner = outermost(filling.groups.filter((other) => other !== member.group && liesIn(other, ids)));
  const lists = innerLists(filling, inner, mark, isSame(member, entry), entry, name);
  const isTaken = (slot: Slot) => lists.some(({ taken }) => taken.has(slot.id));
  const paragraphs = lists.length > 0 ? entry.paragraphs : [...entry.paragraphs, ...entry.items];
  const rest = { ...member, slots: member.slots.filter((slot) => !isTaken(slot)) };
  const { texts, unplaced, missing } = writeMember(rest, { ...entry, paragraphs });
  for (const [slot, text] of texts) filling.texts.set(slot, text);
  const label = entry.heading ?? entry.line ?? 'an entry';
  const whose = entry === emptyEntry ? `"${name}"` : `"${label}" of "${name}"`;
  filling.unplaced.push(...unplaced.map((what) => `${name} (${label}: ${what})`));
  if (missing.length > 0)
    filling.notes.push(`${whose} says no ${[...new Set(missing)].join(', no ')}: its place is left empty`);
  return withLists(member.slots, lists);
}

interface InnerList {
  /** Ids of the slots that the list stood for. */
  taken: Set<string>;
  slots: Slot[];
}

/** The list inside a member with the entry's own items; where the entry has none, the list of another one goes down to an empty item. */
function innerLists(
  filling: Filling,
  inner: SlotGroup[],
  mark: string,
  keep: boolean,
  entry: Entry,
  name: string,
): InnerList[] {
  const group = inner.find((group) => slotsOf(filling, group, mark).flat().some(isOwn));
  if (!group) return [];
  const own = entry.entries.length > 0 ? entry.entries : entriesOf({ ...emptySection, items: entry.items }, 'items');
  if (own.length === 0 && keep) return [];
  const taken = new Set(slotsOf(filling, group, mark).flatMap((member) => member.map(({ id }) => id)));
  const label = `${name}: ${entry.heading ?? ''}`;
  return [{ taken, slots: fillMembers(filling, group, mark, own.length > 0 ? own : [emptyEntry], label) }];
}

const emptySection: Section = { name: '', heading: null, paragraphs: [], items: [], sections: [] };

function withLists(slots: Slot[], lists: InnerList[]): Slot[] {
  return lists.reduce((all, { taken, slots: own }) => {
    const at = all.findIndex(({ id }) => taken.has(id));
    return all.filter(({ id }) => !taken.has(id)).toSpliced(at, 0, ...own);
  }, slots);
}

/** Takes slots, and the parts that begin with one of them, out of a part of the page. */
function takeOut(part: Part, slots: Set<Slot>) {
  part.slots = part.slots.filter((slot) => !slots.has(slot));
  part.parts = part.parts.filter(({ heading }) => !(heading && slots.has(heading)));
  for (const own of part.parts) takeOut(own, slots);
}
