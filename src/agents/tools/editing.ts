import Joi from 'joi';
import type { PageFile } from '../../contract/site.ts';
import { type Note, noteOn } from '../../contract/task.ts';
import { DomainError } from '../../errors.ts';
import type { Slot } from '../../sites/pages/format.ts';
import { quoted } from '../../sites/html/text.ts';
import type { PageLink } from '../../sites/html/links/pageLinks.ts';
import type { SiteEdits } from '../siteEdits.ts';
import type { Tool, ToolContext } from './tool.ts';
import { notes, pageAt, slug, text, words } from './arguments.ts';
import { namedSlot, noteEdit } from './asAsked.ts';
import { whereTo } from './linking.ts';
import type { Replacement } from './texts.ts';

async function setOne(context: ToolContext, slug: string, { id, text }: SetTexts['edits'][number]) {
  const { site, texts } = context;
  const page = pageAt(site, slug);
  const slot = (await site.read(page)).slots.find((slot) => slot.id === id);
  if (!slot) throw new DomainError('NOT_FOUND', `${slug} has no slot "${id}"; read_slots lists them`);
  const written = await texts.marked(slot, text);
  const changed = await site.edit(page, (pages, source) => pages.setTexts(source, { [id]: written }));
  const [plain] = await texts.plain([slot]);
  await noteEdit(context, namedSlot(page, plain!), { changed, wasSo: () => showed(site, page, slot) });
}

/** Whether a page had a text like this one before the task. */
async function showed(site: SiteEdits, page: PageFile, { role, text }: Slot): Promise<boolean> {
  const before = await site.askBefore(page, (pages, source) => pages.read(source));
  return before?.slots.some((slot) => slot.role === role && slot.text === text) ?? false;
}

interface SetTexts {
  slug: string;
  edits: { id: string; text: string }[];
  notes?: Note[];
}

const setTexts: Tool = {
  name: 'set_texts',
  description: `Writes texts of a page's slots. Keep every numbered part of a text once, properly nested; a text without parts is fitted around them. A literal \`<1>\` is written \`\\\\<1>\`.`,
  schema: Joi.object({
    slug,
    edits: Joi.array()
      .items(Joi.object({ id: Joi.string().required().description("The slot's id, as read_slots names it."), text }))
      .min(1)
      .required(),
    notes,
  }),
  run: async (context: ToolContext, { slug, edits, notes = [] }: SetTexts) => {
    for (const note of notes) context.warnings.add(note);
    for (const edit of edits) await setOne(context, slug, edit);
    return 'Done';
  },
};

export interface ReplaceText {
  from: string;
  to: string;
  slug?: string;
  keepCase?: boolean;
  addresses?: boolean;
}

export const replaceText: Tool = {
  name: 'replace_text',
  description:
    'Replaces a text wherever it stands as whole words, in the same case, in the visible texts of one page, or of every page when no slug is given. Never in URLs, addresses or telephone numbers, but for a whole one.',
  schema: Joi.object({
    from: words.description('The words to replace.'),
    to: text.description('What to write instead.'),
    slug: slug.optional(),
    keepCase: Joi.boolean().description('Also in another case, which the new text takes over.'),
    addresses: Joi.boolean().description('Names addresses with a word of the old text, which stay, in the warnings.'),
  }),
  run: async (context: ToolContext, { from, to, slug, keepCase = false, addresses = false }: ReplaceText) => {
    const { site, warnings } = context;
    const files = slug === undefined ? site.files() : [pageAt(site, slug)];
    const found: Found[] = [];
    for (const page of files)
      found.push(await replaceOn(context, page, { from, to, keepCase, ofPage: slug !== undefined }));
    const changed = found.filter(({ count }) => count > 0);
    if (changed.length === 0) throw notFound(slug, found);
    for (const { page, otherCase, otherNumbers, bareAmounts } of found) {
      if (otherCase > 0 && !keepCase)
        warnings.add(noteOn(page.slug, 'left', `"${from}" also stands there in another case, which was left as it is`));
      for (const number of otherNumbers)
        warnings.add(noteOn(page.slug, 'left', `the number also stands there as "${number}", which was left as it is`));
      for (const value of bareAmounts)
        warnings.add(
          noteOn(page.slug, 'structured-data', `the structured data still states ${quoted(value)}`, { value }),
        );
    }
    if (addresses) await nameAddresses(context, files, from);
    return JSON.stringify(changed.map(({ page, count }) => ({ slug: page.slug, count })));
  },
};

interface Found extends Omit<Replacement, 'texts'> {
  page: PageFile;
}

const nothing: Replacement = { texts: {}, count: 0, otherCase: 0, inAddresses: 0, otherNumbers: [], bareAmounts: [] };

/** Addresses that hold a word of a name, where it was replaced everywhere else. */
async function nameAddresses({ site, warnings, texts }: ToolContext, files: readonly PageFile[], name: string) {
  const found = new Set<string>();
  for (const page of files) {
    const { slots } = await site.read(page);
    const links = await site.ask(page, (pages, source) => pages.links(source));
    for (const address of await texts.addressesWith(slots, links, name)) found.add(address);
  }
  for (const address of found) {
    const text = `the address ${quoted(address)} has the old name, and was left as it is`;
    warnings.add({ kind: 'left', text, value: address });
  }
}

/** A link whose text was replaced still leads where it led. */
async function warnOfLinks({ site, warnings }: ToolContext, page: PageFile, before: PageLink[]) {
  const after = await site.ask(page, (pages, source) => pages.links(source));
  const old = new Map(before.map((link) => [link.id, link]));
  for (const link of after) {
    const was = old.get(link.id);
    if (was && was.text !== link.text && was.href === link.href)
      warnings.add(
        noteOn(page.slug, 'link', `the link ${quoted(link.text)} still ${whereTo(link)}`, { value: link.href }),
      );
  }
}

async function replaceOn(
  context: ToolContext,
  page: PageFile,
  { from, to, keepCase, ofPage }: { from: string; to: string; keepCase: boolean; ofPage: boolean },
): Promise<Found> {
  const { site, warnings, texts } = context;
  if (!(await site.ask(page, (_, source) => texts.mayContain(source, from)))) return { page, ...nothing };
  const { slots } = await site.read(page);
  const { texts: written, ...found } = await texts.replaceWords(slots, from, to, { anyCase: keepCase });
  if (found.count === 0) return { page, ...found };
  const links = await site.ask(page, (pages, source) => pages.links(source));
  const isChanged = await site.edit(page, (pages, source) => pages.setTexts(source, written));
  const changed = slots.filter(({ id, text }) => (written[id] ?? text) !== text);
  for (const slot of await texts.plain(changed)) warnings.noLongerAsAsked(namedSlot(page, slot));
  if (!isChanged) warnings.asAsked({ slug: page.slug, what: `the text ${quoted(from)}`, text: to });
  if (ofPage) await warnOfLinks(context, page, links);
  return { page, ...found };
}

function notFound(slug: string | undefined, found: Found[]): DomainError {
  const where = slug === undefined ? 'on no page' : `not on ${slug}`;
  const first = (key: 'otherCase' | 'inAddresses') => found.find((entry) => entry[key] > 0)?.page.slug;
  const [otherCase, inAddresses] = [first('otherCase'), first('inAddresses')];
  const instead = otherCase
    ? `; it stands in another case on ${otherCase}`
    : inAddresses
      ? `; it stands in an address, where nothing is replaced, on ${inAddresses}`
      : '';
  return new DomainError('NOT_FOUND', `the text to replace stands ${where}${instead}`);
}

export const editingTools: Tool[] = [setTexts, replaceText];
