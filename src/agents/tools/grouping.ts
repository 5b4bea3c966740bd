import { mapById } from '../../contract/mapById.ts';
import type { PageFile } from '../../contract/site.ts';
import type { Note } from '../../contract/task.ts';
import { invalidInput } from '../../errors.ts';
import type { Slot, SlotGroup, SlotTexts } from '../../sites/formats/page.ts';
import type { SiteEdits } from '../siteEdits.ts';
import { copiedReferences, referencesOf, type Reference } from './copiedReferences.ts';
import { copiedReference } from './linking.ts';
import { pageAt } from './arguments.ts';
import { removePart } from './removePart.ts';
import type { ToolContext } from './tool.ts';

/** A page's repeated blocks, such as the cards of a grid, each member with its texts. */
export type GroupListing = (Omit<SlotGroup, 'members'> & {
  members: Pick<Slot, 'id' | 'role' | 'text'>[][];
})[];

export async function listGroups(
  { site }: ToolContext,
  { slug }: { slug: string },
): Promise<GroupListing> {
  const page = pageAt(site, slug);
  const { slots } = await site.read(page);
  const byId = new Map(slots.map(({ id, role, text }) => [id, { id, role, text }]));
  const groups = await site.query(page, 'groups');
  return groups.map((group) => ({
    ...group,
    members: group.members.map((ids) => ids.flatMap((id) => byId.get(id) ?? [])),
  }));
}

interface AddItems {
  slug: string;
  group: string;
  /** The index of the member after which the new ones are added; 0 is the first member. */
  after: number;
  /** The texts of each new member: one for each text of the copied member. */
  items: string[][];
  notes?: Note[];
}

/**
 * Adds members to a group. Throws INVALID_INPUT before any change.
 * @returns the ids of the new slots
 */
export async function addMembers(
  context: ToolContext,
  { slug, group: id, after, items, notes = [] }: AddItems,
): Promise<string[][]> {
  const { site, warnings } = context;
  const page = pageAt(site, slug);
  const group = await groupAt(site, page, id);
  const before = await referencesOf(site, page);
  const pattern = group.members[group.pattern]!;
  for (const texts of items) {
    if (pattern.length !== texts.length)
      throw invalidInput(
        `A member of this group has ${pattern.length} texts, and ${texts.length} are given`,
      );
    // throws before anything changes
    await markedTexts(context, page, pattern, texts);
  }
  if (after >= group.members.length) throw noMember(group, after);
  const order: (number | 'clone')[] = [...group.members.keys()];
  order.splice(after + 1, 0, ...items.map((): 'clone' => 'clone'));
  await site.rebuild(page, { kind: 'members', group: id, order });
  const added = (await groupAt(site, page, id)).members.slice(after + 1, after + 1 + items.length);
  const written: SlotTexts = {};
  for (const [i, ids] of added.entries())
    Object.assign(written, await markedTexts(context, page, ids, items[i]!));
  await site.edit(page, 'setTexts', written);
  warnings.add(...notes);
  await watchCopied(context, page, { before, members: group.members.length });
  return added;
}

/** Notes links and images of new members that are those of the member that was copied. */
async function watchCopied(
  { site, warnings }: ToolContext,
  page: PageFile,
  { before, members }: { before: Reference[]; members: number },
) {
  const copied = copiedReferences(before, await referencesOf(site, page), members);
  for (const [says, same] of Map.groupBy(copied, ({ says }) => says)) {
    const ids = new Map(same.map(({ id, key }) => [id, key]));
    warnings.watch(copiedReference(page, says), async (now) =>
      (await referencesOf(site, now(page.slug)!)).some(({ id, key }) => ids.get(id) === key),
    );
  }
}

async function groupAt(site: SiteEdits, page: PageFile, id: string): Promise<SlotGroup> {
  const group = (await site.query(page, 'groups')).find((group) => group.id === id);
  if (!group) throw invalidInput(`The page has no group "${id.slice(0, 40)}"`);
  return group;
}

export const noMember = ({ id, members }: SlotGroup, index: number) =>
  invalidInput(`Group ${id} has members 0 to ${members.length - 1}, none with ${index}`);

/** New texts for slots, with the slots' parts. Throws INVALID_INPUT for broken parts. */
async function markedTexts(
  { site, texts }: ToolContext,
  page: PageFile,
  ids: string[],
  given: string[],
): Promise<SlotTexts> {
  const { slots } = await site.read(page);
  const byId = mapById(slots);
  const marked: SlotTexts = {};
  for (const [i, id] of ids.entries()) marked[id] = await texts.marked(byId.get(id)!, given[i]!);
  return marked;
}

interface RemoveItems {
  slug: string;
  group: string;
  /** The members' indexes; 0 is the first. */
  indexes: number[];
}

/** Removes members from a group. Throws INVALID_INPUT before any change. */
export async function removeMembers(
  context: ToolContext,
  { slug, group: id, indexes }: RemoveItems,
): Promise<void> {
  const page = pageAt(context.site, slug);
  const group = await groupAt(context.site, page, id);
  const missing = indexes.find((index) => index >= group.members.length);
  if (missing !== undefined) throw noMember(group, missing);
  const order = [...group.members.keys()].filter((index) => !indexes.includes(index));
  if (order.length === 0) throw invalidInput("The last member of a group can't go");
  await removePart(context, page, { kind: 'members', group: id, order });
}

interface SwapMembers {
  slug: string;
  group: string;
  /** The indexes of both members; 0 is the first. */
  members: [number, number];
}

/** Swaps two members of a group, byte for byte. */
export async function swapMembers(
  { site }: ToolContext,
  { slug, group, members }: SwapMembers,
): Promise<void> {
  await site.rebuild(pageAt(site, slug), { kind: 'exchange', group, members });
}
