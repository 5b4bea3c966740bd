import type { PageFile } from '../../../contract/site.ts';
import { valueFields } from '../../../contract/notes/mergeNotes.ts';
import { type Note, createPageNote } from '../../../contract/task.ts';
import { type DomainError, notFoundError } from '../../../errors.ts';
import { quoteText } from '../../../text/text.ts';
import type { ToolContext } from './toolContext.ts';
import { requirePage } from './toolArguments.ts';
import { isRepeatingSlot, describeSlot } from './describeText.ts';
import { createEmptyReplacement, type SlotReplacement } from '../texts/slotReplacement.ts';
import { addReplacedValueNotes } from './addReplacedValueNotes.ts';

interface SetTextArguments {
  slug: string;
  id: string;
  text: string;
}

async function setSlotText(context: ToolContext, { slug, id, text }: SetTextArguments) {
  const { site, texts, warnings } = context;
  const page = requirePage(site, slug);
  const slot = (await site.read(page)).slots.find((slot) => slot.id === id);
  if (!slot) throw notFoundError(`${slug} has no slot "${id}"; read_slots lists them`);
  const markedText = await texts.addInlineParts(slot, text);
  const changed = await site.edit(page, 'setTexts', { [id]: markedText });
  const [plainSlot] = await texts.plain([slot]);
  if (!changed && !isRepeatingSlot(slot))
    warnings.unchanged({ slug, textName: describeSlot(slot), text: plainSlot!.text });
}

interface SetTextsArguments {
  slug: string;
  edits: { id: string; text: string }[];
  notes?: Note[];
}

/**
 * Writes texts into a page's slots. Inline tags of a slot are numbered, as in `Call <1>us</1>`: a
 * new text must have each of them once, properly nested. If it has none, they are placed
 * automatically. A literal `<1>` is written `\<1>`.
 * @throws DomainError NOT_FOUND for an unknown page or slot, INVALID_INPUT for wrong inline tags
 */
export async function setTexts(
  context: ToolContext,
  { slug, edits, notes = [] }: SetTextsArguments,
): Promise<void> {
  context.warnings.add(...notes);
  for (const { id, text } of edits) await setSlotText(context, { slug, id, text });
}

export const quotedTextName = (text: string) => `the text ${quoteText(text)}`;

/** Where a replaced text is still found. */
export const remainderSentences = {
  otherCase: (text: string) =>
    `"${text}" is also on the page in another case, which was not changed`,
  address: (address: string) =>
    `the address ${quoteText(address)} contains the old name and was not changed`,
  opaque: (text: string) =>
    `${quoteText(text)} is also in front matter, template tags or data that can't be read, which were not changed`,
};

/** Where a text is that cannot be replaced. `place`: the page, or `any page`. */
export const missingTextProblems = {
  nowhere: (place: string) => `the text to replace is not on ${place}`,
  otherCase: (place: string, slug: string) =>
    `${missingTextProblems.nowhere(place)}, but it is in another case on ${slug}`,
  address: (place: string, slug: string) =>
    `${missingTextProblems.nowhere(place)}, but it is in an address on ${slug}, where nothing is replaced`,
  opaque: (place: string, slug: string) =>
    `${missingTextProblems.nowhere(place)}, but it is in front matter, a template tag or data that cannot be read on ${slug}, where nothing is replaced`,
  markup: (place: string, slug: string, line: number) =>
    `${missingTextProblems.nowhere(place)}, but line ${line} of ${slug} has it in a tag, a URL or a part of a word, where nothing is replaced`,
};

export interface ReplaceTextArguments {
  from: string;
  to: string;
  /** The only page to change; if absent, every page. */
  slug?: string;
  /** Whether to replace the text in any letter case. The new text takes over the case. */
  anyCase?: boolean;
  /** Whether to add notes on addresses with the old text's longest word, which do not change. */
  notesAddresses?: boolean;
}

/** The result of a replacement on one page, for the caller. */
interface PageReplacement {
  slug: string;
  count: number;
  /** Whether the text also occurs in an address, where it is not replaced. */
  isInAddress: boolean;
}

/**
 * Replaces whole words in all visible texts. Leaves URLs, addresses and telephone numbers alone,
 * unless the text is one of them completely.
 * @returns the pages that had the text, and how often it was replaced on each
 * @throws DomainError NOT_FOUND if the text does not occur
 */
export async function replaceSiteText(
  context: ToolContext,
  replaceArguments: ReplaceTextArguments,
): Promise<PageReplacement[]> {
  const { from, to, slug, anyCase = false, notesAddresses = false } = replaceArguments;
  const { site } = context;
  const files = slug === undefined ? site.files() : [requirePage(site, slug)];
  const replacements: FoundReplacement[] = [];
  for (const page of files)
    replacements.push(await replaceOnPage(context, page, { from, to, anyCase }));
  const changed = replacements.filter(({ count }) => count > 0);
  if (changed.length === 0)
    throw await createNotFoundError(context, files, replaceArguments, replacements);
  for (const replacement of anyCase ? [] : replacements)
    addOtherCaseNote(context, replacement, replaceArguments);
  if (notesAddresses) await addAddressNotes(context, files, from);
  return replacements
    .filter(({ count, inAddresses }) => count > 0 || inAddresses > 0)
    .map(({ page, count, inAddresses }) => ({
      slug: page.slug,
      count,
      isInAddress: inAddresses > 0,
    }));
}

/**
 * Adds a note if a page still has the old text in another letter case. It is listed only while that
 * is so (`addTested`).
 */
function addOtherCaseNote(
  { site, texts, warnings }: ToolContext,
  replacement: FoundReplacement,
  { from, to }: ReplaceTextArguments,
) {
  if (replacement.otherCase === 0) return;
  warnings.addTested(
    createPageNote(replacement.page.slug, 'part', remainderSentences.otherCase(from)),
    async (findPageNow) => {
      const page = findPageNow(replacement.page.slug)!;
      if (site.isUnchanged(page)) return false;
      return (await texts.replaceWords((await site.read(page)).slots, from, to)).otherCase > 0;
    },
  );
}

interface FoundReplacement extends Omit<SlotReplacement, 'texts'> {
  page: PageFile;
}

/** Adds notes on addresses that contain the longest word of the replaced name. */
async function addAddressNotes(
  { site, warnings, texts }: ToolContext,
  files: readonly PageFile[],
  name: string,
) {
  const pagesByAddress = new Map<string, PageFile[]>();
  const readAddresses = async (page: PageFile) =>
    texts.addressesWith((await site.read(page)).slots, await site.query(page, 'links'), name);
  for (const page of files)
    for (const address of await readAddresses(page))
      pagesByAddress.set(address, [...(pagesByAddress.get(address) ?? []), page]);
  for (const [address, pages] of pagesByAddress) {
    const text = remainderSentences.address(address);
    warnings.addTested({ kind: 'part', text, value: address }, async (findPageNow) => {
      for (const { slug } of pages) {
        const page = findPageNow(slug);
        if (page && (await readAddresses(page)).includes(address)) return true;
      }
      return false;
    });
  }
}

async function replaceOnPage(
  context: ToolContext,
  page: PageFile,
  { from, to, anyCase }: { from: string; to: string; anyCase: boolean },
): Promise<FoundReplacement> {
  const { site, warnings, texts } = context;
  if (!(await texts.mayContain(await site.pageSource(page), from)))
    return { page, ...createEmptyReplacement() };
  const { slots } = await site.read(page);
  const { texts: writtenTexts, ...replacement } = await texts.replaceWords(slots, from, to, {
    anyCase,
  });
  if (replacement.count === 0) return { page, ...replacement };
  const isChanged = await site.edit(page, 'setTexts', writtenTexts);
  if (!isChanged) warnings.unchanged({ slug: page.slug, textName: quotedTextName(from), text: to });
  if (isChanged) await addOpaqueTextNote(context, page, from);
  await addReplacedValueNotes(
    context,
    page,
    slots.filter(({ id }) => id in writtenTexts),
  );
  return { page, ...replacement };
}

/** Texts that contain words and that no tool of texts changes, such as template tags. */
async function findOpaque({ site, texts }: ToolContext, page: PageFile, words: string) {
  const { opaque } = await site.read(page);
  return opaque.length === 0 ? [] : texts.opaqueWith(opaque, words);
}

/** Adds a note if a page still has the old text where the service replaces none. */
async function addOpaqueTextNote(context: ToolContext, page: PageFile, from: string) {
  const opaque = await findOpaque(context, page, from);
  if (opaque.length === 0) return;
  const sentence = remainderSentences.opaque(from);
  const note = createPageNote(page.slug, 'part', sentence, valueFields(opaque));
  context.warnings.addTested(note, async (findPageNow) => {
    const pageNow = findPageNow(page.slug);
    return pageNow !== undefined && (await findOpaque(context, pageNow, from)).length > 0;
  });
}

async function createNotFoundError(
  context: ToolContext,
  files: readonly PageFile[],
  { from, slug }: ReplaceTextArguments,
  replacements: FoundReplacement[],
): Promise<DomainError> {
  const place = slug ?? 'any page';
  const findFirstSlug = (key: 'otherCase' | 'inAddresses') =>
    replacements.find((replacement) => replacement[key] > 0)?.page.slug;
  const [otherCase, inAddresses] = [findFirstSlug('otherCase'), findFirstSlug('inAddresses')];
  if (otherCase) return notFoundError(missingTextProblems.otherCase(place, otherCase));
  if (inAddresses) return notFoundError(missingTextProblems.address(place, inAddresses));
  for (const page of files)
    if (
      (await context.texts.mayContain(await context.site.pageSource(page), from)) &&
      (await findOpaque(context, page, from)).length > 0
    )
      return notFoundError(missingTextProblems.opaque(place, page.slug));
  for (const page of files) {
    const { source } = await context.site.pageSource(page);
    const [hit] = (await context.texts.linesWith(source, from)).hits;
    if (hit) return notFoundError(missingTextProblems.markup(place, page.slug, hit.line));
  }
  return notFoundError(missingTextProblems.nowhere(place));
}
