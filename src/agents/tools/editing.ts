import type { PageFile } from '../../contract/site.ts';
import { valuesIn } from '../../contract/mergedNotes.ts';
import { type Note, noteOn } from '../../contract/task.ts';
import { type DomainError, notFound } from '../../errors.ts';
import { quoted } from '../../text/text.ts';
import type { ToolContext } from './tool.ts';
import { pageAt } from './arguments.ts';
import { isEcho, nameOf } from './noteEdit.ts';
import { nothingReplaced, type Replacement } from './replacement.ts';
import { watchWritten } from './watchWritten.ts';

interface SetText {
  slug: string;
  id: string;
  text: string;
}

async function setOne(context: ToolContext, { slug, id, text }: SetText) {
  const { site, texts, warnings } = context;
  const page = pageAt(site, slug);
  const slot = (await site.read(page)).slots.find((slot) => slot.id === id);
  if (!slot) throw notFound(`${slug} has no slot "${id}"; read_slots lists them`);
  const written = await texts.marked(slot, text);
  const changed = await site.edit(page, 'setTexts', { [id]: written });
  const [plain] = await texts.plain([slot]);
  if (!changed && !isEcho(slot))
    warnings.unchanged({ slug, what: nameOf(slot), text: plain!.text });
}

interface SetTexts {
  slug: string;
  edits: { id: string; text: string }[];
  notes?: Note[];
}

/**
 * Writes texts of a page's slots. Each text must contain every numbered part once, properly nested.
 * If it has no parts, they are placed automatically. A literal `<1>` is written `\\<1>`.
 */
export async function setTexts(
  context: ToolContext,
  { slug, edits, notes = [] }: SetTexts,
): Promise<void> {
  context.warnings.add(...notes);
  for (const { id, text } of edits) await setOne(context, { slug, id, text });
}

export interface ReplaceText {
  from: string;
  to: string;
  /** The only page to change; if absent, every page. */
  slug?: string;
  /** Whether to replace the text in any letter case. The new text takes over the case. */
  keepCase?: boolean;
  /** Whether to warn about addresses that contain a word of the old text. They are not changed. */
  addresses?: boolean;
}

/** What was replaced on a page. */
interface ReplacedOn {
  slug: string;
  count: number;
  /** Whether the text also stands in an address, where it stayed. */
  isInAddress: boolean;
}

/**
 * Replaces whole words in all visible texts. Leaves URLs, addresses and telephone numbers alone,
 * unless the text is one of them completely.
 * @returns the pages that have the text, and how often it was replaced on each
 * @throws DomainError NOT_FOUND if the text does not occur
 */
export async function replaceText(context: ToolContext, args: ReplaceText): Promise<ReplacedOn[]> {
  const { from, to, slug, keepCase = false, addresses = false } = args;
  const { site } = context;
  const files = slug === undefined ? site.files() : [pageAt(site, slug)];
  const found: Found[] = [];
  for (const page of files) found.push(await replaceOn(context, page, { from, to, keepCase }));
  const changed = found.filter(({ count }) => count > 0);
  if (changed.length === 0) throw standsNowhere(slug, found);
  for (const one of keepCase ? [] : found) watchLeft(context, one, args);
  if (addresses) await nameAddresses(context, files, from);
  return found
    .filter(({ count, inAddresses }) => count > 0 || inAddresses > 0)
    .map(({ page, count, inAddresses }) => ({
      slug: page.slug,
      count,
      isInAddress: inAddresses > 0,
    }));
}

/** Notes that a page still has the old text in another case. */
function watchLeft(
  { site, texts, warnings }: ToolContext,
  found: Found,
  { from, to }: ReplaceText,
) {
  if (found.otherCase === 0) return;
  const says = `"${from}" also stands there in another case, which was left as it is`;
  warnings.watch(noteOn(found.page.slug, 'part', says), async (now) => {
    const page = now(found.page.slug)!;
    if (site.isAsFound(page)) return false;
    return (await texts.replaceWords((await site.read(page)).slots, from, to)).otherCase > 0;
  });
}

interface Found extends Omit<Replacement, 'texts'> {
  page: PageFile;
}

/** Warns about addresses that contain a word of a name that was replaced everywhere else. */
async function nameAddresses(
  { site, warnings, texts }: ToolContext,
  files: readonly PageFile[],
  name: string,
) {
  const found = new Map<string, PageFile[]>();
  const addressesOn = async (page: PageFile) =>
    texts.addressesWith((await site.read(page)).slots, await site.ask(page, 'links'), name);
  for (const page of files)
    for (const address of await addressesOn(page))
      found.set(address, [...(found.get(address) ?? []), page]);
  for (const [address, pages] of found) {
    const text = `the address ${quoted(address)} has the old name, and was left as it is`;
    warnings.watch({ kind: 'part', text, value: address }, async (now) => {
      for (const { slug } of pages) {
        const page = now(slug);
        if (page && (await addressesOn(page)).includes(address)) return true;
      }
      return false;
    });
  }
}

async function replaceOn(
  context: ToolContext,
  page: PageFile,
  { from, to, keepCase }: { from: string; to: string; keepCase: boolean },
): Promise<Found> {
  const { site, warnings, texts } = context;
  if (!(await texts.mayContain(await site.pageSource(page), from)))
    return { page, ...nothingReplaced() };
  const { slots } = await site.read(page);
  const { texts: written, ...found } = await texts.replaceWords(slots, from, to, {
    anyCase: keepCase,
  });
  if (found.count === 0) return { page, ...found };
  const isChanged = await site.edit(page, 'setTexts', written);
  if (!isChanged)
    warnings.unchanged({ slug: page.slug, what: `the text ${quoted(from)}`, text: to });
  if (isChanged) await watchOpaque(context, page, from);
  await watchWritten(
    context,
    page,
    slots.filter(({ id }) => id in written),
  );
  return { page, ...found };
}

/** Notes that a page still has the old text where no text is replaced. */
async function watchOpaque({ site, texts, warnings }: ToolContext, page: PageFile, from: string) {
  const opaqueOn = async (file: PageFile) => {
    const { opaque } = await site.read(file);
    return opaque.length === 0 ? [] : texts.opaqueWith(opaque, from);
  };
  const opaque = await opaqueOn(page);
  if (opaque.length === 0) return;
  const says = `${quoted(from)} also stands in front matter, template tags or data that can't be read, which stay as they are`;
  warnings.watch(noteOn(page.slug, 'part', says, valuesIn(opaque)), async (now) => {
    const file = now(page.slug);
    return file !== undefined && (await opaqueOn(file)).length > 0;
  });
}

function standsNowhere(slug: string | undefined, found: Found[]): DomainError {
  const where = slug === undefined ? 'on no page' : `not on ${slug}`;
  const first = (key: 'otherCase' | 'inAddresses') =>
    found.find((entry) => entry[key] > 0)?.page.slug;
  const [otherCase, inAddresses] = [first('otherCase'), first('inAddresses')];
  const instead = otherCase
    ? `; it stands in another case on ${otherCase}`
    : inAddresses
      ? `; it stands in an address, where nothing is replaced, on ${inAddresses}`
      : '';
  return notFound(`the text to replace stands ${where}${instead}`);
}
