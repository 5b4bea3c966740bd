import type { PageFile } from '../../contract/site.ts';
import { type Note, noteOn } from '../../contract/task.ts';
import { DomainError } from '../../errors.ts';
import type { Slot, SlotGroup, SlotTexts } from '../../sites/formats/page.ts';
import type { SiteEdits } from '../siteEdits.ts';
import { copiedReference, whereTo, recountLinks } from './linking.ts';
import { anchorsOf, warnOfAnchors } from './anchors.ts';
import { pageAt } from './arguments.ts';
import { stillInData, textsOf } from './dataTwins.ts';
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
  return listingOf(await groupsOf(site, page), slots);
}

const groupsOf = (site: SiteEdits, page: PageFile) => site.ask(page, 'groups');

function listingOf(groups: SlotGroup[], slots: Slot[]): GroupListing {
  const byId = new Map(slots.map(({ id, role, text }) => [id, { id, role, text }]));
  return groups.map((group) => ({
    ...group,
    members: group.members.map((ids) => ids.flatMap((id) => byId.get(id) ?? [])),
  }));
}

interface AddItems {
  slug: string;
  group: string;
  /** The member that the new ones come behind; 0 is the first. */
  after: number;
  /** The texts of each new member, one for each text of the pattern. */
  items: string[][];
  notes?: Note[];
}

/**
 * Adds members to a group. Answers their slots' ids. Throws INVALID_INPUT before anything changes.
 */
export async function addMembers(
  context: ToolContext,
  { slug, group, after, items, notes: given = [] }: AddItems,
): Promise<string[][]> {
  const { site, warnings } = context;
  const page = pageAt(site, slug);
  const before = await referencesOf(site, page);
  const twins = await textsWithTwins(context, page, group);
  const { count, pattern } = await sizeOf(site, page, group);
  for (const item of items) await checkItem(context, page, pattern, item);
  const order: (number | 'clone')[] = [...Array(count).keys()];
  order.splice(after + 1, 0, ...items.map((): 'clone' => 'clone'));
  if (after >= count) throw new DomainError('INVALID_INPUT', noMember(group, count, after));
  await site.rebuild(page, { kind: 'members', group, order });
  const added = await written(context, page, { group, after, items });
  for (const note of given) warnings.add(note);
  for (const reference of copiedOnes(before, await referencesOf(site, page), count))
    warnings.add(copiedReference(page, reference));
  if (twins.length > 0)
    warnings.add(
      noteOn(page.slug, 'structured-data', 'the structured data says nothing of the new item'),
    );
  await recountLinks(site, warnings, page);
  return added;
}

const noMember = (group: string, count: number, index: number) =>
  `Group ${group} has members 0 to ${count - 1}, none with ${index}`;

async function sizeOf(site: SiteEdits, page: PageFile, id: string) {
  const group = (await groupsOf(site, page)).find((group) => group.id === id);
  if (!group) throw new DomainError('INVALID_INPUT', `The page has no group "${id.slice(0, 40)}"`);
  return { count: group.members.length, pattern: group.members[group.pattern]! };
}

/** Checks the texts of a new member before anything changes. */
async function checkItem(
  { site, texts }: ToolContext,
  page: PageFile,
  pattern: string[],
  item: string[],
) {
  if (pattern.length !== item.length)
    throw new DomainError(
      'INVALID_INPUT',
      `A member of this group has ${pattern.length} texts, and ${item.length} are given`,
    );
  const { slots } = await site.read(page);
  for (const [i, id] of pattern.entries())
    await texts.marked(
      slots.find((slot) => slot.id === id)!,
      item[i]!,
    );
}

/** Writes the texts of new members. Answers their slots' ids. */
async function written(
  { site, texts }: ToolContext,
  page: PageFile,
  { group, after, items }: Omit<AddItems, 'slug'>,
) {
  const { slots } = await site.read(page);
  const found = (await groupsOf(site, page)).find(({ id }) => id === group)!;
  const members = found.members.slice(after + 1, after + 1 + items.length);
  const byId: SlotTexts = {};
  for (const [i, ids] of members.entries())
    for (const [j, id] of ids.entries())
      byId[id] = await texts.marked(
        slots.find((slot) => slot.id === id)!,
        items[i]![j]!,
      );
  await site.edit(page, 'setTexts', byId);
  return members;
}

/** What a page's links and images lead to and show, in words. */
async function referencesOf(site: SiteEdits, page: PageFile): Promise<string[]> {
  const links = await site.ask(page, 'links');
  const images = await site.ask(page, 'images');
  return [...links.map(whereTo), ...images.map(({ file }) => `shows the image "${file}"`)];
}

/**
 * References that a new member has of the one that it was made from. Those that all members may
 * share are the group's; a telephone number or an e-mail address is always named.
 */
function copiedOnes(before: string[], after: string[], members: number): Set<string> {
  const [knownOf, nowOf] = [counts(before), counts(after)];
  const isCopied = (reference: string) => {
    const known = knownOf.get(reference) ?? 0;
    return (
      known > 0 &&
      nowOf.get(reference)! > known &&
      (known < members || /"(?:tel|mailto):/i.test(reference))
    );
  };
  return new Set(after.filter(isCopied));
}

function counts(list: string[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const entry of list) found.set(entry, (found.get(entry) ?? 0) + 1);
  return found;
}

/** Texts of a group that the page's structured data says as well. */
async function textsWithTwins(context: ToolContext, page: PageFile, id: string) {
  const slots = await textsOf(context, page);
  const members =
    (await groupsOf(context.site, page)).find((group) => group.id === id)?.members ?? [];
  const ids = new Set(members.flat());
  const data = new Set(
    slots.filter(({ role }) => role === 'structured-data').map(({ text }) => text),
  );
  return slots.filter(({ id, text }) => ids.has(id) && data.has(text));
}

interface RemoveItems {
  slug: string;
  group: string;
  /** The members; 0 is the first. */
  indexes: number[];
}

/** Takes members out of a group. Throws INVALID_INPUT before anything changes. */
export async function removeMembers(
  context: ToolContext,
  { slug, group, indexes }: RemoveItems,
): Promise<void> {
  const { site, warnings } = context;
  const page = pageAt(site, slug);
  const { count } = await sizeOf(site, page, group);
  const missing = indexes.find((index) => index >= count);
  if (missing !== undefined)
    throw new DomainError('INVALID_INPUT', noMember(group, count, missing));
  const order = [...Array(count).keys()].filter((index) => !indexes.includes(index));
  if (order.length === 0)
    throw new DomainError('INVALID_INPUT', "The last member of a group can't go");
  const before = await anchorsOf(site, page);
  const slots = await textsOf(context, page);
  await site.rebuild(page, { kind: 'members', group, order });
  if (stillInData(slots, await textsOf(context, page)))
    warnings.add(
      noteOn(
        page.slug,
        'structured-data',
        'the structured data still names the item that was removed',
      ),
    );
  await warnOfAnchors(context, page, before);
  await recountLinks(site, warnings, page);
}

interface SwapMembers {
  slug: string;
  group: string;
  /** The two; 0 is the first. */
  members: [number, number];
}

/** Puts two members of a group into each other's place, byte for byte. */
export async function swapMembers(
  { site }: ToolContext,
  { slug, group, members }: SwapMembers,
): Promise<void> {
  await site.rebuild(pageAt(site, slug), { kind: 'exchange', group, members });
}
