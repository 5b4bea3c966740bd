import {
  MAX_MEMBERS,
  type GroupRole,
  type TextSlot,
  type SlotGroup,
} from '../../../sites/formats/pageParts.ts';
import type { ContextSection } from '../../shared/context/contextData.ts';
import {
  emptyEntry,
  listSectionEntries,
  lineEntries,
  type ListEntry,
} from '../../shared/context/listEntries.ts';
import type { PageFilling } from '../../shared/page/pageFilling.ts';
import {
  isOwnText,
  isSameMember,
  writeMember,
  type MemberSlots,
} from '../../shared/page/writeMember.ts';
import { createGroupNotes, groupSentences } from '../../shared/page/groupNotes.ts';
import {
  findColumnNames,
  findCommonTexts,
  findColumnHeaders,
  findMarkedSlot,
  listMemberSlots,
  type MarkedGroup,
} from '../../shared/page/memberSlots.ts';
import { listAllParts, removeSlotsFromPart, type PagePart } from './pageParts.ts';

/** A list of the context. `name` is its name in warnings. */
interface ContextList {
  name: string;
  entries: ListEntry[];
}

/**
 * A member of a group on the new page: the ids of its slots in the template, and the mark that a
 * clone adds to these ids.
 */
interface PlacedMember extends MemberSlots {
  ids: string[];
  mark: string;
}

/**
 * Puts the lists of a section into the groups of its part of the page. A group has like blocks,
 * such as cards, and each is a member. A filled group has one member for each entry of the list:
 * with three entries, a fourth card of the template is removed, and a missing third one is cloned.
 * The group is then removed from the part.
 * @param role fills only a group with this role, if the part has exactly one
 * @returns the section without the lists that were used; the same object if there were none
 */
export function fillGroups(
  filling: PageFilling,
  part: PagePart,
  section: ContextSection,
  role?: GroupRole,
): ContextSection {
  let remainingSection = section;
  if (section.isEmptyList) filling.note(groupSentences.empty(section.name));
  for (const kind of ['sections', 'items'] as const) {
    const entries = listSectionEntries(remainingSection, kind);
    const group = entries.length > 0 ? findBestGroup(filling, part, entries, role) : undefined;
    if (!group) continue;
    const markedGroup = { group, mark: '' };
    const oldSlots = new Set(listMemberSlots(filling.slots, markedGroup).flat());
    const list = { name: section.name, entries: splitIntoRows(filling.groups, group, entries) };
    filling.replaceMembers(group, section, fillMembers(filling, markedGroup, list));
    removeSlotsFromPart(part, oldSlots);
    remainingSection = { ...remainingSection, [kind]: [] };
  }
  return remainingSection;
}

const includeHeading = (part: PagePart, topPart: PagePart) =>
  part.heading && part !== topPart ? [part.heading, ...part.slots] : part.slots;

/** Of the outermost groups of a part, finds the one whose role fits the entries of a list best. */
function findBestGroup(
  { groups, slots }: PageFilling,
  part: PagePart,
  entries: ListEntry[],
  role?: GroupRole,
): SlotGroup | undefined {
  const slotsInPart = new Set(
    listAllParts(part).flatMap((partInside) => includeHeading(partInside, part)),
  );
  const ids = new Set([...slotsInPart].map(({ id }) => id));
  const slotsById = new Map(slots.map((slot) => [slot.id, slot]));
  const completeGroups = groups.filter(({ members }) => {
    const existingMembers = members.map((member) => member.filter((id) => slotsById.has(id)));
    return existingMembers.every(
      (member) =>
        member.some((id) => isOwnText(slotsById.get(id)!)) && member.every((id) => ids.has(id)),
    );
  });
  const areLines = entries.every(({ heading }) => heading === null);
  const preferredRoles = areLines
    ? ['list-item', 'other', 'question', 'card', 'table-row']
    : ['card', 'question', 'table-row', 'other', 'list-item'];
  const fittingGroups = selectOutermostGroups(completeGroups).filter(
    (group) => role === undefined || group.role === role,
  );
  if (role !== undefined && fittingGroups.length > 1) return undefined;
  return fittingGroups.sort(
    (first, second) => preferredRoles.indexOf(first.role) - preferredRoles.indexOf(second.role),
  )[0];
}

/** If each member of the group is a row of blocks, the entries are divided into such rows. */
function splitIntoRows(
  groups: readonly SlotGroup[],
  { members }: SlotGroup,
  entries: ListEntry[],
): ListEntry[] {
  const lengths = members.map((row) => {
    const innerGroup = groups.find((group) => group.members.flat().join() === row.join());
    return innerGroup?.members.length ?? 0;
  });
  const rowLength = Math.max(...lengths);
  if (lengths.includes(0)) return entries;
  return Array.from({ length: Math.ceil(entries.length / rowLength) }, (_, row) => ({
    ...emptyEntry,
    entries: entries.slice(row * rowLength, (row + 1) * rowLength),
  }));
}

const selectOutermostGroups = (groups: SlotGroup[]) =>
  groups.filter(
    (inner) => !groups.some((outer) => outer !== inner && liesInside(inner, outer.members.flat())),
  );

const liesInside = ({ members }: SlotGroup, ids: string[]) =>
  members.flat().every((id) => ids.includes(id));

/** Fills a group's members, and returns their slots. */
function fillMembers(
  filling: PageFilling,
  markedGroup: MarkedGroup,
  list: ContextList,
): TextSlot[] {
  const { group, mark } = markedGroup;
  const usedEntries = list.entries.slice(0, MAX_MEMBERS);
  const oldMembers = listMemberSlots(filling.slots, markedGroup);
  const commonTexts = findCommonTexts(oldMembers);
  const headers = findColumnHeaders(filling.slots, group);
  if (usedEntries.length !== oldMembers.length) filling.count(group.id + mark, usedEntries.length);
  for (const note of createGroupNotes(filling.slots, group, list, commonTexts)) filling.note(note);
  return usedEntries.flatMap((entry, index) => {
    const isClone = index >= oldMembers.length;
    const ids = group.members[isClone ? group.pattern : index]!;
    const memberMark = isClone ? `${mark}+${index - oldMembers.length + 1}` : mark;
    const slots = ids.flatMap((id) => findMarkedSlot(filling.slots, id, memberMark));
    const member = {
      group,
      slots,
      columns: findColumnNames(slots, headers),
      common: commonTexts,
      isClone,
      ids,
      mark: memberMark,
    };
    return fillMember(filling, member, entry, list.name);
  });
}

/** Fills one member with its entry. Returns the member's slots on the new page. */
function fillMember(
  filling: PageFilling,
  member: PlacedMember,
  entry: ListEntry,
  name: string,
): TextSlot[] {
  const innerList = fillInnerList(filling, member, entry, name);
  const paragraphs = innerList ? entry.paragraphs : [...entry.paragraphs, ...entry.items];
  const outerMember = {
    ...member,
    slots: member.slots.filter(({ id }) => !innerList?.taken.has(id)),
  };
  const { texts, unplaced, missing } = writeMember(outerMember, { ...entry, paragraphs });
  for (const [slot, text] of texts) {
    filling.put(slot, text);
    // a slot may refuse the text, such as an invalid telephone number. It is emptied then, so that
    // it does not show another entry's text
    if (!filling.texts.has(slot)) filling.put(slot, '');
  }
  const label = entry.heading ?? entry.line ?? 'an entry';
  const entryName = entry === emptyEntry ? `"${name}"` : `"${label}" of "${name}"`;
  for (const partName of unplaced) filling.reportUnplaced(`${name} (${label}: ${partName})`);
  if (missing.length > 0) filling.note(emptyPlaceSentence(entryName, [...new Set(missing)]));
  return innerList ? insertInnerList(member.slots, innerList) : member.slots;
}

interface InnerList {
  /** Ids of the inner list's slots in the template. */
  taken: Set<string>;
  slots: TextSlot[];
}

/**
 * Fills the list inside a member, such as a card's features, with the entry's items. If the entry
 * has none and the member shows another entry, the list shrinks to one empty item.
 * @returns null if the member has no list, or keeps its list unchanged
 */
function fillInnerList(
  filling: PageFilling,
  member: PlacedMember,
  entry: ListEntry,
  name: string,
): InnerList | null {
  const innerGroups = filling.groups.filter(
    (innerGroup) => innerGroup !== member.group && liesInside(innerGroup, member.ids),
  );
  const markedGroup = selectOutermostGroups(innerGroups)
    .map((group): MarkedGroup => ({ group, mark: member.mark }))
    .find((inner) => listMemberSlots(filling.slots, inner).flat().some(isOwnText));
  if (!markedGroup) return null;
  const innerEntries = entry.entries.length > 0 ? entry.entries : lineEntries(entry.items);
  if (innerEntries.length === 0 && isSameMember(member, entry)) return null;
  const oldSlots = listMemberSlots(filling.slots, markedGroup).flat();
  const list = {
    name: `${name}: ${entry.heading ?? ''}`,
    entries: innerEntries.length > 0 ? innerEntries : [emptyEntry],
  };
  return {
    taken: new Set(oldSlots.map(({ id }) => id)),
    slots: fillMembers(filling, markedGroup, list),
  };
}

function insertInnerList(slots: TextSlot[], { taken, slots: listSlots }: InnerList): TextSlot[] {
  const firstIndex = slots.findIndex(({ id }) => taken.has(id));
  return slots.filter(({ id }) => !taken.has(id)).toSpliced(firstIndex, 0, ...listSlots);
}

/** @param missing what the entry has not, such as `price` */
export const emptyPlaceSentence = (entryName: string, missing: readonly string[]) =>
  `${entryName} has no ${missing.join(' and no ')}, so its place is empty`;
