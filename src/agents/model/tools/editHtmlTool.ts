import { Joi } from '../../../boundedJoi.ts';
import type { PageFile } from '../../../contract/site.ts';
import { nullIfFinal, onCode } from '../../../errors.ts';
import type { PageSource } from '../../../sites/formats/format.ts';
import type { TextSlot } from '../../../sites/formats/pageParts.ts';
import type { SourceEdit } from '../../shared/markup/editSource.ts';
import { requirePage, slugSchema } from '../../shared/tools/toolArguments.ts';
import type { ModelTool, ToolContext } from '../../shared/tools/toolContext.ts';
import { addReplacedValueNotes } from '../../shared/tools/addReplacedValueNotes.ts';
import { listBriefly } from './pagedLines.ts';
import { findRemainingTexts } from './findRemainingTexts.ts';

const MAX_EDITS = 100;
const MAX_MARKUP_LENGTH = 200_000;

const lineSchema = Joi.number().integer().min(0);
const lineRangeSchema = Joi.array().items(lineSchema).length(2);
const markupSchema = Joi.string().allow('').max(MAX_MARKUP_LENGTH);

const editSchema = Joi.object({
  old: markupSchema,
  lines: lineRangeSchema,
  new: markupSchema,
  copy: lineRangeSchema,
  after: lineSchema,
})
  .xor('old', 'lines', 'copy')
  .with('old', 'new')
  .with('lines', 'new')
  .with('copy', 'after')
  .without('copy', 'new')
  .without('new', 'after');

interface EditHtmlArguments {
  slug: string;
  edits: SourceEdit[];
  everywhere?: boolean;
}

export const editHtmlTool: ModelTool = {
  name: 'edit_html',
  description:
    'Edits the HTML or Markdown of a page: all edits, or none where one is wrong. An edit is `old` with `new`: a text that the page has once, and what replaces it; or `lines` [first, last] with `new`, "" to remove them; or `copy` [first, last] with `after`: the line behind which they are copied. Line numbers are those before the call. `everywhere`: also on all other pages with the same block; relative addresses follow.',
  schema: Joi.object({
    slug: slugSchema,
    edits: Joi.array().items(editSchema).min(1).max(MAX_EDITS).required(),
    everywhere: Joi.boolean(),
  }),
  run: async (context: ToolContext, { slug, edits, everywhere = false }: EditHtmlArguments) => {
    const { site, texts } = context;
    const page = requirePage(site, slug);
    const sourceBefore = { path: page.path, source: await site.source(page.path) };
    const { source, shown: editedLines } = await texts.editSource(sourceBefore, edits);
    const otherEdits = everywhere ? await editOtherPages(context, sourceBefore, edits) : undefined;
    const remarks = await writeEditedPage(context, page, source);
    const editedPages = [page, ...(otherEdits?.edited ?? [])];
    return [
      editedLines,
      ...(otherEdits
        ? [editTexts.reach(otherEdits.edited.length, otherEdits.partly, otherEdits.without)]
        : []),
      ...remarks,
      ...(await listViolations(context, editedPages)),
    ].join('\n');
  },
};

interface EditedPages {
  edited: PageFile[];
  /** The pages with some of the edits, and those with none. */
  partly: string[];
  without: string[];
}

/** Makes the edits on all other pages that have the same blocks. */
async function editOtherPages(
  context: ToolContext,
  sourceBefore: PageSource,
  edits: SourceEdit[],
): Promise<EditedPages> {
  const { site, texts } = context;
  const editedPages: EditedPages = { edited: [], partly: [], without: [] };
  for (const otherPage of site.files()) {
    if (otherPage.path === sourceBefore.path) continue;
    const otherSource = await site
      .source(otherPage.path)
      .catch(onCode(['PAGE_UNREADABLE', 'LIMIT_EXCEEDED'], undefined));
    const { source, missing } =
      otherSource === undefined
        ? { missing: edits }
        : await texts.editAlike(sourceBefore, { path: otherPage.path, source: otherSource }, edits);
    if (source === undefined) editedPages.without.push(otherPage.slug);
    else {
      await writeEditedPage(context, otherPage, source);
      editedPages.edited.push(otherPage);
      if (missing.length > 0)
        editedPages.partly.push(`${otherPage.slug} (${missing.length} of ${edits.length})`);
    }
  }
  return editedPages;
}

/** What the tool answers besides the edited lines. */
export const editTexts = {
  reach: (editedCount: number, partly: string[], without: string[]) =>
    [
      `Also on ${editedCount === 1 ? '1 other page' : `${editedCount} other pages`}`,
      ...(partly.length > 0 ? [`some edits were not possible on ${listBriefly(partly)}`] : []),
      ...(without.length > 0 ? [`the block was not found on ${listBriefly(without)}`] : []),
    ].join('; '),
  refused: (violations: string) => `finish would be refused. ${violations}`,
};

/**
 * Writes a page. If only texts changed, watches for values that were replaced in one text and that
 * other texts of the page still have, such as a price: a note names them.
 * @returns sentences on where the page still has a whole text that was replaced
 */
async function writeEditedPage(context: ToolContext, page: PageFile, source: string) {
  const { site } = context;
  const readSlots = async (): Promise<TextSlot[] | null> =>
    site.read(page).then(({ slots }) => slots, nullIfFinal);
  const slotsBefore = await readSlots();
  await site.writeFile(page.path, source);
  const slotsAfter = await readSlots();
  if (!slotsBefore || !slotsAfter || !hasSameTexts(slotsBefore, slotsAfter)) return [];
  const changedSlots = slotsBefore.filter(({ text }, index) => text !== slotsAfter[index]!.text);
  if (changedSlots.length === 0) return [];
  await addReplacedValueNotes(context, page, changedSlots);
  // a new text may contain the old one
  const replacedSlots = slotsBefore.filter(
    ({ text }, index) => !slotsAfter[index]!.text.includes(text),
  );
  return findRemainingTexts(context, source, replacedSlots);
}

/** Whether no text was added, removed or moved. */
const hasSameTexts = (slotsBefore: TextSlot[], slotsAfter: TextSlot[]) =>
  slotsBefore.length === slotsAfter.length &&
  slotsBefore.every(
    ({ id, role }, index) => id === slotsAfter[index]!.id && role === slotsAfter[index]!.role,
  );

/** Most pages that are checked at once. `finish` checks all. */
const MAX_CHECKED_PAGES = 50;

async function listViolations({ site }: ToolContext, pages: PageFile[]): Promise<string[]> {
  const violations = await site.findViolations(pages.slice(0, MAX_CHECKED_PAGES));
  return violations === undefined ? [] : [editTexts.refused(violations)];
}
