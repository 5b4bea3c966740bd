import { Joi } from '../../../joi.ts';
import type { PageFile } from '../../../contract/site.ts';
import { nullIfFinal, onCode } from '../../../errors.ts';
import type { PageSource } from '../../../sites/formats/format.ts';
import type { Slot } from '../../../sites/formats/page.ts';
import type { SourceEdit } from '../../source/editSource.ts';
import { pageAt, slug } from '../arguments.ts';
import type { Tool, ToolContext } from '../tool.ts';
import { watchWritten } from '../watchWritten.ts';
import { listed } from './listing.ts';
import { stillSaid } from './stillSaid.ts';

const MOST_EDITS = 100;
const LONGEST = 200_000;

const line = Joi.number().integer().min(0);
const lines = Joi.array().items(line).length(2);
const markup = Joi.string().allow('').max(LONGEST);

const edit = Joi.object({
  old: markup,
  lines,
  new: markup,
  copy: lines,
  after: line,
})
  .xor('old', 'lines', 'copy')
  .with('old', 'new')
  .with('lines', 'new')
  .with('copy', 'after')
  .without('copy', 'new')
  .without('new', 'after');

interface EditHtml {
  slug: string;
  edits: SourceEdit[];
  everywhere?: boolean;
}

export const editHtml: Tool = {
  name: 'edit_html',
  description:
    'Edits the HTML of a page: all edits, or none where one is wrong. An edit is `old` with `new`: a text that the page has once, and what replaces it; or `lines` [first, last] with `new`, "" to remove them; or `copy` [first, last] with `after`: the line behind which they are copied. Line numbers are those before the call. `everywhere`: also on all other pages with the same block; relative addresses follow.',
  schema: Joi.object({
    slug,
    edits: Joi.array().items(edit).min(1).max(MOST_EDITS).required(),
    everywhere: Joi.boolean(),
  }),
  run: async (context: ToolContext, { slug, edits, everywhere = false }: EditHtml) => {
    const { site, texts } = context;
    const page = pageAt(site, slug);
    const before = { path: page.path, source: await site.source(page.path) };
    const { source, shown } = await texts.editSource(before, edits);
    const alike = everywhere ? await editOthers(context, before, edits) : undefined;
    const remarks = await writeEdited(context, page, source);
    const edited = [page, ...(alike?.edited ?? [])];
    return [
      shown,
      ...(alike ? [reached(alike)] : []),
      ...remarks,
      ...(await faultsOn(context, edited)),
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
async function editOthers(
  context: ToolContext,
  before: PageSource,
  edits: SourceEdit[],
): Promise<EditedPages> {
  const { site, texts } = context;
  const found: EditedPages = { edited: [], partly: [], without: [] };
  for (const other of site.files()) {
    if (other.path === before.path) continue;
    const own = await site
      .source(other.path)
      .catch(onCode(['PAGE_UNREADABLE', 'LIMIT_EXCEEDED'], undefined));
    const { source, missing } =
      own === undefined
        ? { missing: edits }
        : await texts.editAlike(before, { path: other.path, source: own }, edits);
    if (source === undefined) found.without.push(other.slug);
    else {
      await writeEdited(context, other, source);
      found.edited.push(other);
      if (missing.length > 0)
        found.partly.push(`${other.slug} (${missing.length} of ${edits.length})`);
    }
  }
  return found;
}

function reached({ edited, partly, without }: EditedPages): string {
  const on = edited.length === 1 ? '1 other page' : `${edited.length} other pages`;
  return [
    `Also on ${on}`,
    ...(partly.length > 0 ? [`some edits not on ${listed(partly)}`] : []),
    ...(without.length > 0 ? [`not found on ${listed(without)}`] : []),
  ].join('; ');
}

/**
 * Writes a page, and notes what its texts leave behind.
 * @returns where the page still says what was replaced
 */
async function writeEdited(context: ToolContext, page: PageFile, source: string) {
  const { site } = context;
  const slotsOf = async (): Promise<Slot[] | null> =>
    site.read(page).then(({ slots }) => slots, nullIfFinal);
  const before = await slotsOf();
  await site.writeFile(page.path, source);
  const after = await slotsOf();
  if (!before || !after || !hasSameTexts(before, after)) return [];
  const changed = before.filter(({ text }, i) => text !== after[i]!.text);
  if (changed.length === 0) return [];
  await watchWritten(context, page, changed);
  // a new text may contain the old one
  const gone = before.filter(({ text }, i) => !after[i]!.text.includes(text));
  return stillSaid(context, source, gone);
}

/** Whether no text was added, removed or moved. */
const hasSameTexts = (before: Slot[], after: Slot[]) =>
  before.length === after.length &&
  before.every(({ id, role }, i) => id === after[i]!.id && role === after[i]!.role);

/** Most pages that are checked at once. `finish` checks all. */
const MOST_CHECKED = 50;

async function faultsOn({ site }: ToolContext, pages: PageFile[]): Promise<string[]> {
  const faults = await site.findViolations(pages.slice(0, MOST_CHECKED));
  return faults === undefined ? [] : [`finish would be refused. ${faults}`];
}
