import { Joi } from '../../../joi.ts';
import { defined } from '../../../contract/defined.ts';
import { mapById } from '../../../contract/mapById.ts';
import { invalidInput } from '../../../errors.ts';
import { MOST_MEMBERS } from '../../../sites/formats/page.ts';
import { slug, text } from '../arguments.ts';
import { copiedPictures, referencesOf } from '../copiedReferences.ts';
import { addMembers, removeMembers, swapMembers } from '../grouping.ts';
import { leadTo } from '../linking.ts';
import type { Tool, ToolContext } from '../tool.ts';
import { counted } from './findOrSuggest.ts';
import { refuseRenumbered } from './knownParts.ts';
import { tellingHosts } from './newHosts.ts';
import { everywhere } from './sisterPlaces.ts';
import { target, targetFor } from './linkTools.ts';
import { changeMembers, group, index, membersFor, type Members } from './members.ts';
import { addToMenus, menuEntry } from './menuItems.ts';

interface AddItems {
  slug: string;
  group: string;
  after: number;
  items: string[][];
  like?: number;
  links?: string[][];
  everywhere?: boolean;
}

/**
 * Most texts or links of an item. An error names those that the member has no place for; this
 * limits the input.
 */
const MOST_TEXTS = 100;
const MOST_REMARKS = 10;

const addItems: Tool = {
  name: 'add_items',
  description:
    'Adds copies of the member `like`, else of that marked `*`, behind the member `after`. `items` has for each new member one text for each text of the copied one, in their order; `links` where its links lead, as in set_link. With `everywhere` an entry of the navigation comes on every page.',
  schema: Joi.object({
    slug,
    group,
    after: index.required(),
    items: Joi.array()
      .items(Joi.array().items(text).min(1).max(MOST_TEXTS))
      .min(1)
      .max(MOST_MEMBERS)
      .required(),
    like: index,
    links: Joi.array().items(Joi.array().items(target).max(MOST_TEXTS)).max(MOST_MEMBERS),
    everywhere,
  }),
  run: async (context: ToolContext, args: AddItems) => {
    const { everywhere = false, after, like, ...given } = args;
    const indexes = like === undefined ? [after] : [after, like];
    const members = await membersFor(context, { ...given, indexes });
    const remarks = await check(context, members, given);
    const entries = like === undefined && (await menuEntry(context, members, given));
    if (entries) return addToMenus(context, members, { entries, isEverywhere: everywhere });
    const added: string[][] = [];
    const before = await referencesOf(context.site, members.page);
    const outline = await changeMembers(context, members, {
      isEverywhere: everywhere,
      change: async (members) => {
        const ids = await add(context, members, given);
        if (members.page.slug === args.slug) added.push(...ids);
      },
    });
    const now = await referencesOf(context.site, members.page);
    const pictures = copiedPictures(before, now, members.group.members.length);
    return [`Added ${added.flat().join(', ')}`, ...remarks, ...pictures, outline].join('. ');
  },
};

type Given = Pick<AddItems, 'items' | 'links'>;

/**
 * Refuses texts and links that a member has no place for, before any change.
 * @returns what the writer should know of the texts
 */
async function check(
  context: ToolContext,
  { page, group, indexes }: Members,
  { items, links = [] }: Given,
) {
  const { slots } = await context.site.read(page);
  const copied = indexes[1] ?? group.pattern;
  const pattern = group.members[copied]!;
  const wrong = items.find((texts) => texts.length !== pattern.length);
  if (wrong) {
    const plain = await context.texts.plain(
      slots.filter(({ id }) => pattern.includes(id)).slice(0, 10),
    );
    const like = plain
      .map(({ id, text }) => `${id} "${text.slice(0, 40).toWellFormed()}"`)
      .join(', ');
    throw invalidInput(
      `A member of ${group.id} has ${counted(pattern.length, 'text')} (${like}), and ${wrong.length} are given`,
    );
  }
  if (links.length > items.length)
    throw invalidInput(
      `There are ${links.length} lists of links for ${counted(items.length, 'new member')}`,
    );
  const own = (await context.site.ask(page, 'groupLinks', group.id))[copied]!;
  for (const targets of links) {
    if (targets.length > own.length)
      throw invalidInput(
        `A member of ${group.id} has ${counted(own.length, 'link')}, and ${targets.length} are given`,
      );
    for (const target of targets) await targetFor(context, page, target);
  }
  for (const texts of items)
    await refuseRenumbered(
      context,
      page,
      texts.map((text, i) => ({ id: pattern[i]!, text })),
    );
  const byId = mapById(slots);
  const copiedSlots = pattern.map((id) => byId.get(id)!);
  const remarks: string[] = [];
  for (const [i, texts] of items.entries()) {
    const named = copiedSlots.map((slot, j) => ({ ...slot, id: placeOf(slot.id, i, j) }));
    remarks.push(...(await context.texts.review(named, texts)));
  }
  return remarks.slice(0, MOST_REMARKS);
}

/** The place of a new text in the call: `items[0][1]`, or `items[0][1].alt` of an attribute. */
const placeOf = (id: string, item: number, text: number) =>
  `items[${item}][${text}]${id.includes('.') ? id.slice(id.indexOf('.')) : ''}`;

/** Adds members on one page. @returns the ids of their texts */
async function add(
  context: ToolContext,
  { page, group, indexes }: Members,
  { items, links = [] }: Given,
) {
  const [after, like] = indexes as [number, number?];
  const given = { slug: page.slug, group: group.id, after, items, ...defined({ like }) };
  const added = await addMembers(context, given);
  const ids = await context.site.ask(page, 'groupLinks', group.id);
  for (const [i, targets] of links.entries())
    for (const [j, target] of targets.entries())
      await leadTo(context, page, ids[after + 1 + i]![j]!, await targetFor(context, page, target));
  return added;
}

const removeItems: Tool = {
  name: 'remove_items',
  description: "Takes members out of a group, or all but those to `keep`; the last one can't go.",
  schema: Joi.object({
    slug,
    group,
    indexes: Joi.array().items(index).min(1).max(MOST_TEXTS).unique(),
    keep: Joi.array().items(index).min(1).max(MOST_TEXTS).unique(),
    everywhere,
  }).xor('indexes', 'keep'),
  run: async (
    context: ToolContext,
    { everywhere = false, keep, indexes = [], ...args }: Indexed & Removal,
  ) =>
    changeMembers(
      context,
      await (keep ? allBut(context, { ...args, keep }) : membersFor(context, { ...args, indexes })),
      {
        isEverywhere: everywhere,
        change: ({ page, group, indexes }) =>
          removeMembers(context, { slug: page.slug, group: group.id, indexes }),
      },
    ),
};

/** One of the two. */
interface Removal {
  indexes?: number[];
  keep?: number[];
}

/** All members of a group but some. */
async function allBut(context: ToolContext, { keep, ...args }: Indexed & { keep: number[] }) {
  const members = await membersFor(context, { ...args, indexes: keep });
  const indexes = members.group.members
    .keys()
    .filter((i) => !keep.includes(i))
    .toArray();
  if (indexes.length === 0)
    throw invalidInput(`${args.group} has no other members: there is nothing to remove`);
  return { ...members, indexes };
}

interface Indexed {
  slug: string;
  group: string;
  everywhere?: boolean;
}

const moveItems: Tool = {
  name: 'move_items',
  description: "Puts two members of a group into each other's place.",
  schema: Joi.object({
    slug,
    group,
    members: Joi.array().items(index).length(2).unique().required(),
    everywhere,
  }),
  run: async (
    context: ToolContext,
    { everywhere = false, members, ...args }: Indexed & { members: number[] },
  ) =>
    changeMembers(context, await membersFor(context, { ...args, indexes: members }), {
      isEverywhere: everywhere,
      change: ({ page, group, indexes }) =>
        swapMembers(context, {
          slug: page.slug,
          group: group.id,
          members: indexes as [number, number],
        }),
    }),
};

export const itemTools: Tool[] = [tellingHosts(addItems), removeItems, moveItems];
