import Joi from 'joi';
import type { PageFile } from '../../contract/site.ts';
import { type Note, noteOn } from '../../contract/task.ts';
import { DomainError } from '../../errors.ts';
import { MOST_MEMBERS, type Slot, type SlotGroup, type SlotTexts } from '../../sites/pages/format.ts';
import type { SiteEdits } from '../siteEdits.ts';
import { copiedReference, whereTo, recountLinks } from './linking.ts';
import { anchorsOf, warnOfAnchors } from './anchors.ts';
import { notes, pageAt, slug, text } from './arguments.ts';
import { stillInData, textsOf } from './dataTwins.ts';
import type { Tool, ToolContext } from './tool.ts';

/** What `list_groups` answers, as JSON: a page's repeated blocks, each member with its texts. */
export type GroupListing = (Omit<SlotGroup, 'members'> & { members: Pick<Slot, 'id' | 'role' | 'text'>[][] })[];

const listGroups: Tool = {
  name: 'list_groups',
  description:
    'Lists the repeated blocks of a page, such as the cards of a grid or the items of a list: id, role, section, the texts of each member, and which member new ones are made of (pattern).',
  schema: Joi.object({ slug }),
  run: async ({ site }: ToolContext, args: { slug: string }) => {
    const page = pageAt(site, args.slug);
    const { slots } = await site.read(page);
    return JSON.stringify(listingOf(await groupsOf(site, page), slots));
  },
};

const groupsOf = (site: SiteEdits, page: PageFile) => site.ask(page, (pages, source) => pages.groups(source));

function listingOf(groups: SlotGroup[], slots: Slot[]): GroupListing {
  const byId = new Map(slots.map(({ id, role, text }) => [id, { id, role, text }]));
  return groups.map((group) => ({
    ...group,
    members: group.members.map((ids) => ids.flatMap((id) => byId.get(id) ?? [])),
  }));
}

const group = Joi.string().required().description("The group's id, as list_groups names it.");
const index = Joi.number().integer().min(0).required();

const texts = Joi.array().items(text.allow('')).required();

interface AddItems {
  slug: string;
  group: string;
  after: number;
  items: string[][];
  notes?: Note[];
}

const after = index.description('The member that they come behind; 0 is the first.');

const addItems: Tool = {
  name: 'add_items',
  description:
    "Adds members to a group: copies of its pattern with texts of their own, one for each text of the pattern, in their order. Their links and images are the pattern's. Answers their new ids; all other ids stay.",
  schema: Joi.object({
    slug,
    group,
    after,
    items: Joi.array().items(texts).min(1).max(MOST_MEMBERS).required(),
    notes,
  }),
  run: async (context: ToolContext, args: AddItems) => JSON.stringify({ added: await addMembers(context, args) }),
};

/** Adds members to a group. Answers their slots' ids. Throws INVALID_INPUT before anything changes. */
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
    warnings.add(noteOn(page.slug, 'structured-data', 'the structured data says nothing of the new item'));
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
async function checkItem({ site, texts }: ToolContext, page: PageFile, pattern: string[], item: string[]) {
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
async function written({ site, texts }: ToolContext, page: PageFile, { group, after, items }: Omit<AddItems, 'slug'>) {
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
  await site.edit(page, (pages, source) => pages.setTexts(source, byId));
  return members;
}

/** What a page's links and images lead to and show, in words. */
async function referencesOf(site: SiteEdits, page: PageFile): Promise<string[]> {
  const links = await site.ask(page, (pages, source) => pages.links(source));
  const images = await site.ask(page, (pages, source) => pages.images(source));
  return [...links.map(whereTo), ...images.map(({ file }) => `shows the image "${file}"`)];
}

/**
 * References that a new member has of the one that it was made from. Those that all members may share are the group's;
 * a telephone number or an e-mail address is always named.
 */
function copiedOnes(before: string[], after: string[], members: number): Set<string> {
  const [knownOf, nowOf] = [counts(before), counts(after)];
  const isCopied = (reference: string) => {
    const known = knownOf.get(reference) ?? 0;
    return known > 0 && nowOf.get(reference)! > known && (known < members || /"(?:tel|mailto):/i.test(reference));
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
  const members = (await groupsOf(context.site, page)).find((group) => group.id === id)?.members ?? [];
  const ids = new Set(members.flat());
  const data = new Set(slots.filter(({ role }) => role === 'structured-data').map(({ text }) => text));
  return slots.filter(({ id, text }) => ids.has(id) && data.has(text));
}

const indexes = Joi.array().items(Joi.number().integer().min(0)).min(1).unique();

interface RemoveItems {
  slug: string;
  group: string;
  indexes: number[];
}

const removeItems: Tool = {
  name: 'remove_items',
  description: "Takes members out of a group. The last one can't go.",
  schema: Joi.object({ slug, group, indexes: indexes.required().description('The members; 0 is the first.') }),
  run: async (context: ToolContext, args: RemoveItems) => {
    await removeMembers(context, args);
    return 'Done';
  },
};

/** Takes members out of a group. Throws INVALID_INPUT before anything changes. */
export async function removeMembers(context: ToolContext, { slug, group, indexes }: RemoveItems): Promise<void> {
  const { site, warnings } = context;
  const page = pageAt(site, slug);
  const { count } = await sizeOf(site, page, group);
  const missing = indexes.find((index) => index >= count);
  if (missing !== undefined) throw new DomainError('INVALID_INPUT', noMember(group, count, missing));
  const order = [...Array(count).keys()].filter((index) => !indexes.includes(index));
  if (order.length === 0) throw new DomainError('INVALID_INPUT', "The last member of a group can't go");
  const before = await anchorsOf(site, page);
  const slots = await textsOf(context, page);
  await site.rebuild(page, { kind: 'members', group, order });
  if (stillInData(slots, await textsOf(context, page)))
    warnings.add(noteOn(page.slug, 'structured-data', 'the structured data still names the item that was removed'));
  await warnOfAnchors(context, page, before);
  await recountLinks(site, warnings, page);
}

const moveItems: Tool = {
  name: 'move_items',
  description: "Puts two members of a group into each other's place, byte for byte.",
  schema: Joi.object({ slug, group, members: indexes.length(2).required().description('The two; 0 is the first.') }),
  run: async ({ site }: ToolContext, args: { slug: string; group: string; members: [number, number] }) => {
    await site.rebuild(pageAt(site, args.slug), { kind: 'exchange', group: args.group, members: args.members });
    return 'Done';
  },
};

export const groupTools: Tool[] = [listGroups, addItems, removeItems, moveItems];
