import Joi from 'joi';
import type { PageFile } from '../../contract/site.ts';
import { DomainError } from '../../errors.ts';
import type { Slot, SlotTexts } from '../../sites/pages/format.ts';
import { digitsOf, quoted } from '../../sites/html/text.ts';
import type { SiteEdits } from '../siteEdits.ts';
import { plainText } from '../text/marks.ts';
import { phoneSpans } from '../text/phones.ts';
import { replaceInSlot } from '../text/replace.ts';
import { addressSpans, findWords, reachOf, type Span } from '../text/words.ts';
import type { Tool, ToolContext } from './tool.ts';
import { pageAt, slug, text, words } from './arguments.ts';
import { namedSlot, noteEdit } from './asAsked.ts';
import { marked } from './slotText.ts';
import { mayContain } from './sourceFilter.ts';

interface SetText {
  slug: string;
  id: string;
  text: string;
}

const setText: Tool = {
  name: 'set_text',
  description:
    'Writes the text of one slot of a page. Keep every numbered part once, properly nested; a text without parts is fitted around them. A literal `<1>` is written `\\<1>`.',
  schema: Joi.object({ slug, id: Joi.string().required().description("The slot's id, as read_page names it."), text }),
  run: async (context: ToolContext, { slug, id, text }: SetText) => {
    const { site } = context;
    const page = pageAt(site, slug);
    const slot = (await site.read(page)).slots.find((slot) => slot.id === id);
    if (!slot) throw new DomainError('NOT_FOUND', `${slug} has no slot "${id}"; read_page lists them`);
    const changed = await site.edit(page, (pages, source) => pages.setTexts(source, { [id]: marked(slot, text) }));
    await noteEdit(context, namedSlot(page, slot), { changed, wasSo: () => showed(site, page, slot) });
    return 'Done';
  },
};

/** Whether a page had a text like this one before the task. */
async function showed(site: SiteEdits, page: PageFile, { role, text }: Slot): Promise<boolean> {
  const before = await site.askBefore(page, (pages, source) => pages.read(source));
  return before?.slots.some((slot) => slot.role === role && slot.text === text) ?? false;
}

interface ReplaceText {
  from: string;
  to: string;
  slug?: string;
}

const replaceText: Tool = {
  name: 'replace_text',
  description:
    'Replaces a text wherever it stands as whole words, in the same case, in the visible texts of one page, or of every page when no slug is given. Never in URLs, addresses or telephone numbers, but for a whole one.',
  schema: Joi.object({
    from: words.description('The words to replace.'),
    to: text.description('What to write instead.'),
    slug: slug.optional(),
  }),
  run: async (context: ToolContext, { from, to, slug }: ReplaceText) => {
    const { site, warnings } = context;
    const files = slug === undefined ? site.files() : [pageAt(site, slug)];
    const found: Found[] = [];
    for (const page of files) found.push(await replaceOn(context, page, from, to));
    const changed = found.filter(({ count }) => count > 0);
    if (changed.length === 0) throw notFound(slug, found);
    for (const { page, otherCase, otherNumbers } of found) {
      if (otherCase > 0)
        warnings.add(`${page.slug}: "${from}" also stands there in another case, which was left as it is`);
      for (const number of otherNumbers)
        warnings.add(`${page.slug}: the number also stands there as "${number}", which was left as it is`);
    }
    return JSON.stringify(changed.map(({ page, count }) => ({ slug: page.slug, count })));
  },
};

interface Found {
  page: PageFile;
  count: number;
  otherCase: number;
  inAddresses: number;
  /** Other writings of the telephone number that was replaced. */
  otherNumbers: Set<string>;
}

async function replaceOn({ site, warnings }: ToolContext, page: PageFile, from: string, to: string): Promise<Found> {
  const found: Found = { page, count: 0, otherCase: 0, inAddresses: 0, otherNumbers: new Set() };
  if (!mayContain(await site.source(page.path), from)) return found;
  const texts: SlotTexts = {};
  const { slots } = await site.read(page);
  for (const slot of slots) {
    const plain = plainText(slot.text);
    const { free, inside } = outsideAddresses(plain, findWords(plain, from));
    for (const number of otherNumbers(plain, from)) found.otherNumbers.add(number);
    found.count += free.length;
    found.inAddresses += inside.length;
    found.otherCase += outsideAddresses(plain, findWords(plain, from, { anyCase: true })).free.length - free.length;
    if (free.length > 0)
      texts[slot.id] = replaceInSlot(
        slot,
        free.map((span) => ({ ...span, text: to })),
      );
  }
  if (found.count === 0) return found;
  const isChanged = await site.edit(page, (pages, source) => pages.setTexts(source, texts));
  const changed = slots.filter(({ id, text }) => (texts[id] ?? text) !== text);
  for (const slot of changed) warnings.noLongerAsAsked(namedSlot(page, slot));
  if (!isChanged) warnings.asAsked({ slug: page.slug, what: `the text ${quoted(from)}`, text: to });
  return found;
}

function otherNumbers(plain: string, from: string): string[] {
  const digits = digitsOf(from);
  if (digits.length < 7 || /[^\d\s+().\-–/]/.test(from)) return [];
  const numbers = phoneSpans(plain).map((span) => plain.slice(span.from, span.to));
  const isSame = (number: string) => digitsOf(number).endsWith(digits) || digits.endsWith(digitsOf(number));
  return numbers.filter((number) => number !== from.trim() && isSame(number));
}

/** An address that is to be replaced as a whole is the text that was asked for; a word inside one is not. */
function outsideAddresses(plain: string, spans: Span[]) {
  const reach = reachOf([...addressSpans(plain), ...phoneSpans(plain)]);
  const isInside = ({ from, to }: Span) => reach(from) > from || reach(to) > to;
  return { free: spans.filter((span) => !isInside(span)), inside: spans.filter(isInside) };
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

export const editingTools: Tool[] = [setText, replaceText];
