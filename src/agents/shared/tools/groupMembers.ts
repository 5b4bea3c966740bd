import { mapById } from '../../../contract/mapById.ts';
import type { PageFile } from '../../../contract/site.ts';
import type { Note } from '../../../contract/task.ts';
import { invalidInputError } from '../../../errors.ts';
import type { TextSlot, SlotGroup, SlotTexts } from '../../../sites/formats/pageParts.ts';
import type { SiteEdits } from '../site/siteEdits.ts';
import { findCopiedReferences, readReferences, type TargetReference } from './copiedReferences.ts';
import { createCopiedReferenceNote } from './linksAndImages.ts';
import { requirePage } from './toolArguments.ts';
import { removePagePart } from './removePagePart.ts';
import type { ToolContext } from './toolContext.ts';

/** The groups of a page (repeated blocks, such as cards), with the texts of each member. */
export type GroupListing = (Omit<SlotGroup, 'members'> & {
  members: Pick<TextSlot, 'id' | 'role' | 'text'>[][];
})[];

export async function listPageGroups(
  { site }: ToolContext,
  { slug }: { slug: string },
): Promise<GroupListing> {
  const page = requirePage(site, slug);
  const { slots } = await site.read(page);
  const textsById = new Map(slots.map(({ id, role, text }) => [id, { id, role, text }]));
  const groups = await site.query(page, 'groups');
  return groups.map((group) => ({
    ...group,
    members: group.members.map((ids) => ids.flatMap((id) => textsById.get(id) ?? [])),
  }));
}

/** Why members cannot be added or removed. */
export const memberProblems = {
  textCount: (expectedCount: number, count: number) =>
    `A member of this group has ${expectedCount} texts, but ${count} were given`,
  unknownGroup: (id: string) => `The page has no group "${id.slice(0, 40)}"`,
  unknownMember: (id: string, memberCount: number, index: number) =>
    `The group ${id} has the members 0 to ${memberCount - 1} and no member ${index}`,
  lastMember: () => "The last member of a group can't be removed",
};

interface AddMembersArguments {
  slug: string;
  group: string;
  /** The index of the member after which the new ones are added; 0 is the first member. */
  after: number;
  /** The texts of each new member: one for each text of the copied member. */
  items: string[][];
  notes?: Note[];
}

/**
 * Adds members to a group. They are copies of its member `pattern`, with new texts. Notes report
 * links and images that are still those of the copied member.
 * @returns the ids of the slots of each new member
 * @throws DomainError, before any change: NOT_FOUND for an unknown page; INVALID_INPUT for an
 *   unknown group or member, or if the number or the inline tags of the texts do not fit
 */
export async function addMembers(
  context: ToolContext,
  { slug, group: id, after: afterIndex, items, notes = [] }: AddMembersArguments,
): Promise<string[][]> {
  const { site, warnings } = context;
  const page = requirePage(site, slug);
  const group = await findPageGroup(site, page, id);
  const referencesBefore = await readReferences(site, page);
  const pattern = group.members[group.pattern]!;
  for (const texts of items) {
    if (pattern.length !== texts.length)
      throw invalidInputError(memberProblems.textCount(pattern.length, texts.length));
    // throws before anything changes
    await createMarkedTexts(context, page, pattern, texts);
  }
  if (afterIndex >= group.members.length) throw createNoMemberError(group, afterIndex);
  const order: (number | 'clone')[] = [...group.members.keys()];
  order.splice(afterIndex + 1, 0, ...items.map((): 'clone' => 'clone'));
  await site.rebuild(page, { kind: 'members', group: id, order });
  const addedMembers = (await findPageGroup(site, page, id)).members.slice(
    afterIndex + 1,
    afterIndex + 1 + items.length,
  );
  const markedTexts: SlotTexts = {};
  for (const [index, ids] of addedMembers.entries())
    Object.assign(markedTexts, await createMarkedTexts(context, page, ids, items[index]!));
  await site.edit(page, 'setTexts', markedTexts);
  warnings.add(...notes);
  await addCopiedReferenceNotes(context, page, {
    before: referencesBefore,
    members: group.members.length,
  });
  return addedMembers;
}

/** Adds notes on links and images that new members share with the copied member. */
async function addCopiedReferenceNotes(
  { site, warnings }: ToolContext,
  page: PageFile,
  { before: referencesBefore, members }: { before: TargetReference[]; members: number },
) {
  const copiedReferences = findCopiedReferences(
    referencesBefore,
    await readReferences(site, page),
    members,
  );
  for (const [description, sameReferences] of Map.groupBy(
    copiedReferences,
    ({ description }) => description,
  )) {
    const keysById = new Map(sameReferences.map(({ id, key }) => [id, key]));
    warnings.addTested(createCopiedReferenceNote(page, description), async (findPageNow) =>
      (await readReferences(site, findPageNow(page.slug)!)).some(
        ({ id, key }) => keysById.get(id) === key,
      ),
    );
  }
}

async function findPageGroup(site: SiteEdits, page: PageFile, id: string): Promise<SlotGroup> {
  const group = (await site.query(page, 'groups')).find((group) => group.id === id);
  if (!group) throw invalidInputError(memberProblems.unknownGroup(id));
  return group;
}

export const createNoMemberError = ({ id, members }: SlotGroup, index: number) =>
  invalidInputError(memberProblems.unknownMember(id, members.length, index));

/** The new texts with their slots' inline tags, by slot id. Throws INVALID_INPUT for wrong tags. */
async function createMarkedTexts(
  { site, texts }: ToolContext,
  page: PageFile,
  ids: string[],
  newTexts: string[],
): Promise<SlotTexts> {
  const { slots } = await site.read(page);
  const slotsById = mapById(slots);
  const markedTexts: SlotTexts = {};
  for (const [index, id] of ids.entries())
    markedTexts[id] = await texts.addInlineParts(slotsById.get(id)!, newTexts[index]!);
  return markedTexts;
}

interface RemoveMembersArguments {
  slug: string;
  group: string;
  /** The members' indexes; 0 is the first. */
  indexes: number[];
}

/** Removes members from a group. Throws like `addMembers`, also if no member would be left. */
export async function removeMembers(
  context: ToolContext,
  { slug, group: id, indexes }: RemoveMembersArguments,
): Promise<void> {
  const page = requirePage(context.site, slug);
  const group = await findPageGroup(context.site, page, id);
  const missingIndex = indexes.find((index) => index >= group.members.length);
  if (missingIndex !== undefined) throw createNoMemberError(group, missingIndex);
  const order = [...group.members.keys()].filter((index) => !indexes.includes(index));
  if (order.length === 0) throw invalidInputError(memberProblems.lastMember());
  await removePagePart(context, page, { kind: 'members', group: id, order });
}

interface SwapMembersArguments {
  slug: string;
  group: string;
  /** The indexes of both members; 0 is the first. */
  members: [number, number];
}

/** Swaps two members of a group without changing their bytes. */
export async function swapMembers(
  { site }: ToolContext,
  { slug, group, members }: SwapMembersArguments,
): Promise<void> {
  await site.rebuild(requirePage(site, slug), { kind: 'exchange', group, memberIndexes: members });
}
