import Joi from 'joi';
import type { PageFile } from '../../contract/site.ts';
import { noteOn } from '../../contract/task.ts';
import { DomainError } from '../../errors.ts';
import type { Slot, SlotGroup, SlotTexts } from '../../sites/pages/format.ts';
import type { Pages, PageSource } from '../../sites/pages/pages.ts';
import type { SiteEdits } from '../siteEdits.ts';
import { copiedReference, whereTo, recountLinks } from './linking.ts';
import { pageAt, slug, text } from './arguments.ts';
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

interface AddItem {
  slug: string;
  group: string;
  after: number;
  texts: string[];
}

const addItem: Tool = {
  name: 'add_item',
  description:
    "Adds a member to a group: a copy of its pattern with texts of its own, one for each text of the pattern, in their order. Its links and images are the pattern's.",
  schema: Joi.object({
    slug,
    group,
    after: index.description('The member that it comes behind; 0 is the first.'),
    texts: Joi.array().items(text).required(),
  }),
  run: async (context: ToolContext, args: AddItem) => {
    const { site, warnings } = context;
    const page = pageAt(site, args.slug);
    const before = await referencesOf(site, page);
    const twins = await textsWithTwins(context, page, args.group);
    const count = (await groupsOf(site, page)).find(({ id }) => id === args.group)?.members.length ?? 0;
    await site.edit(page, (pages, source) => added(context, pages, source, args));
    for (const reference of copiedOnes(before, await referencesOf(site, page), count))
      warnings.add(copiedReference(page, reference));
    if (twins.length > 0)
      warnings.add(noteOn(page.slug, 'structured-data', 'the structured data says nothing of the new item'));
    await recountLinks(site, warnings, page);
    return 'Done';
  },
};

async function added(
  { texts: inThreads }: ToolContext,
  pages: Pages,
  { path, source }: PageSource,
  { group: id, after, texts }: AddItem,
): Promise<string> {
  const page = { path, source: await pages.addMember({ path, source }, id, after) };
  const { slots } = await pages.read(page);
  const [ids = []] = [(await pages.groups(page)).find((group) => group.id === id)?.members[after + 1]];
  if (ids.length !== texts.length)
    throw new DomainError(
      'INVALID_INPUT',
      `A member of this group has ${ids.length} texts, and ${texts.length} are given`,
    );
  const own = ids.map((id) => slots.find((slot) => slot.id === id)!);
  const written: SlotTexts = {};
  for (const [i, slot] of own.entries()) written[slot.id] = await inThreads.marked(slot, texts[i]!);
  return pages.setTexts(page, written);
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
async function textsWithTwins({ site, texts }: ToolContext, page: PageFile, id: string, member?: number) {
  const slots = await texts.plain((await site.read(page)).slots);
  const members = (await groupsOf(site, page)).find((group) => group.id === id)?.members ?? [];
  const ids = new Set(members.filter((_, i) => member === undefined || i === member).flat());
  const data = new Set(slots.filter(({ role }) => role === 'structured-data').map(({ text }) => text));
  return slots.filter(({ id, text }) => ids.has(id) && data.has(text));
}

const removeItem: Tool = {
  name: 'remove_item',
  description: "Takes a member out of a group. The last one can't go.",
  schema: Joi.object({ slug, group, index: index.description('The member; 0 is the first.') }),
  run: async (context: ToolContext, args: { slug: string; group: string; index: number }) => {
    const { site, warnings } = context;
    const page = pageAt(site, args.slug);
    const twins = await textsWithTwins(context, page, args.group, args.index);
    await site.edit(page, (pages, source) => pages.removeMember(source, args.group, args.index));
    if (twins.length > 0)
      warnings.add(noteOn(page.slug, 'structured-data', 'the structured data still names the item that was removed'));
    await recountLinks(site, warnings, page);
    return 'Done';
  },
};

export const groupTools: Tool[] = [listGroups, addItem, removeItem];
