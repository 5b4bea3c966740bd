import { Joi } from '../../../joi.ts';
import type { PageFile } from '../../../contract/site.ts';
import { invalidInput, notFound } from '../../../errors.ts';
import type { SlotTexts } from '../../../sites/formats/page.ts';
import { slug, text, words } from '../arguments.ts';
import { replaceText as replacing, type ReplaceText } from '../editing.ts';
import type { TextEdit, TextPlan } from '../textsPort.ts';
import type { Tool, ToolContext } from '../tool.ts';
import { watchWritten } from '../watchWritten.ts';
import { counted, listed, nearIds, pageFor } from './findOrSuggest.ts';
import { refuseRenumbered, reorderedBy } from './knownParts.ts';
import { apartFromHead, isHeadId, missingHead } from './missingHead.ts';
import { everywhere, reached, sisterPlaces, type Reach } from './sisterPlaces.ts';
import { id } from './outlineTools.ts';

/** Most texts in one call. A model can make another call for more. */
const MOST_EDITS = 200;
const NAMED = 10;

interface SetTexts {
  slug: string;
  edits: TextEdit[];
  everywhere?: boolean;
}

const setTexts: Tool = {
  name: 'set_texts',
  description:
    'Writes texts of a page: all of them, or none where one is wrong. Keep each numbered part once, properly nested; a text without parts is fitted around them. A literal `<1>` is written `\\<1>`. Titles for social networks and structured data that said the same follow.',
  schema: Joi.object({
    slug,
    edits: Joi.array()
      .items(Joi.object({ id: id, text }))
      .min(1)
      .max(MOST_EDITS)
      .required(),
    everywhere,
  }),
  run: async (context: ToolContext, { slug, edits, everywhere }: SetTexts) => {
    const page = await pageFor(context, slug);
    await refuseRenumbered(context, page, edits);
    const plan = await planOn(context, page, edits);
    if (plan.unknown.length > 0) throw await unknownIds(context, page, plan.unknown);
    const sisters = everywhere ? await sistersOf(context, page, edits) : undefined;
    const texts = await said(context, page, plan);
    const answer = texts + (await write(context, page, plan));
    const moved = await renumberedBy(context, page, edits);
    if (!sisters) return answer + moved;
    const reach: Reach = { pages: [page], without: sisters.without };
    for (const { page, plan } of sisters.plans) {
      await write(context, page, plan);
      reach.pages.push(page);
    }
    return `${answer};${reached(reach)}${moved}`;
  },
};

/** The lines of the texts whose parts have new numbers now. */
async function renumberedBy(context: ToolContext, page: PageFile, edits: TextEdit[]) {
  const texts = await reorderedBy(context, edits);
  if (texts.length === 0) return '';
  return `. The parts have new numbers:\n${await context.site.outline(page, { texts })}`;
}

async function planOn(context: ToolContext, page: PageFile, edits: TextEdit[]): Promise<TextPlan> {
  const { site, texts, lengths } = context;
  const { slots } = await site.read(page);
  const head = edits.some(({ id }) => isHeadId(id)) ? await missingHead(site, page) : [];
  const first = edits.flatMap(({ id }) => {
    const length = lengths?.get(keyOf(page, id));
    return length === undefined ? [] : [[id, length] as const];
  });
  return texts.planTexts([...slots, ...head], edits, Object.fromEntries(first));
}

const keyOf = ({ path }: PageFile, id: string) => `${path}\n${id}`;

/** @returns the ids of new texts of the head: `; head.description is s5.content now` */
async function write(context: ToolContext, page: PageFile, { texts }: TextPlan): Promise<string> {
  const { site } = context;
  const { head, own } = apartFromHead(texts);
  if (Object.keys(own).length > 0) await writeOwn(context, page, own);
  if (Object.keys(head).length === 0) return '';
  await site.edit(page, 'setHead', head);
  const { slots } = await site.read(page);
  return slots
    .filter(({ role }) => Object.hasOwn(head, role))
    .map(({ id, role }) => `; head.${role} is ${id} now`)
    .join('');
}

async function writeOwn(context: ToolContext, page: PageFile, texts: SlotTexts): Promise<void> {
  const { site, lengths } = context;
  const isWritten = ({ id }: { id: string }) => Object.hasOwn(texts, id);
  const before = (await site.read(page)).slots.filter(isWritten);
  await site.edit(page, 'setTexts', texts);
  for (const { id, text } of await context.texts.plain(before)) {
    const key = keyOf(page, id);
    if (!lengths?.has(key)) lengths?.set(key, text.length);
  }
  await watchWritten(context, page, before);
}

/** The same texts at the same places of other pages, to be written there too. */
async function sistersOf(context: ToolContext, page: PageFile, edits: TextEdit[]) {
  const { found, without } = await sisterPlaces(
    context,
    page,
    edits.map(({ id }) => id),
  );
  const plans: { page: PageFile; plan: TextPlan }[] = [];
  for (const { page, ids } of found) {
    const own = edits.flatMap(({ text }, i) => (ids[i] === null ? [] : [{ id: ids[i]!, text }]));
    plans.push({ page, plan: await planOn(context, page, own) });
  }
  return { plans, without };
}

async function unknownIds(context: ToolContext, page: PageFile, ids: string[]) {
  const near = await nearIds(context, page, ids[0]!);
  return notFound(`Nothing was written: ${page.slug} has no text ${listed(ids)}; ${near}`);
}

/** `3 written; og:title followed; s40: 96 characters where 31 stood` */
async function said({ site }: ToolContext, page: PageFile, plan: TextPlan): Promise<string> {
  const written = Object.keys(plan.texts).length - plan.followed.length;
  const kinds = await site.ask(page, 'kinds', plan.followed);
  const followed = plan.followed.map((id, i) => `${kinds[i]} (${id})`);
  return [
    `${written} written`,
    ...(plan.unchanged.length > 0 ? [`${listed(plan.unchanged)} said this already`] : []),
    ...(followed.length > 0 ? [`${listed(followed)} followed`] : []),
    ...plan.longer
      .slice(0, NAMED)
      .map(
        ({ id, before, after }) => `${id}: ${counted(after, 'character')} where ${before} stood`,
      ),
    ...plan.remarks.slice(0, NAMED),
  ].join('; ');
}

const replaceText: Tool = {
  name: 'replace_text',
  description:
    'Replaces whole words in the visible texts of a page, or without `slug` of all pages. Addresses and telephone numbers change as a whole only, URLs never. `keepCase`: also in another case, which the new words take over. `addresses`: notes those with a word of the old text.',
  schema: Joi.object({
    from: words,
    to: text,
    slug: slug.optional(),
    keepCase: Joi.boolean(),
    addresses: Joi.boolean(),
  }),
  run: async (context: ToolContext, args: ReplaceText) => {
    if (args.from === args.to)
      throw invalidInput('from and to are the same: there is nothing to change');
    if (args.slug !== undefined) await pageFor(context, args.slug);
    return JSON.stringify(await replacing(context, args));
  },
};

export const textTools: Tool[] = [setTexts, replaceText];
