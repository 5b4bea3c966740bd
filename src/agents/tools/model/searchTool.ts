import { Joi } from '../../../joi.ts';
import type { PageFile } from '../../../contract/site.ts';
import { invalidInput, onCode } from '../../../errors.ts';
import type { Region } from '../../../sites/formats/page.ts';
import { cut, inLine } from '../../../text/text.ts';
import { slug, words } from '../arguments.ts';
import type { Tool, ToolContext } from '../tool.ts';
import { pageFor } from './findOrSuggest.ts';
import { askSheets, filesEnding } from './fileTools.ts';

/** Most pages with hits; more are searched one by one. */
const PAGES_WITH_HITS = 200;
const LONGEST_ANSWER = 12_000;
const LONGEST_TEXT = 160;
/** Most places of a text that is on many pages. */
const NAMED_PLACES = 20;

type Where = 'texts' | 'links' | 'styles';

interface Search {
  text: string;
  in?: Where;
  slug?: string;
  from?: number;
}

export const searchTool: Tool = {
  name: 'search',
  description:
    'Finds words in any case: whole words in `texts`, the default; in texts and addresses of `links` ("/pricing" finds those to that page); in lines of `styles`. Names each text or link once, with its pages and ids.',
  schema: Joi.object({
    text: words,
    in: Joi.valid('texts', 'links', 'styles'),
    slug: slug.optional(),
    from: Joi.number().integer().min(1),
  }),
  run: async (context: ToolContext, { text, in: where = 'texts', slug, from = 1 }: Search) => {
    if (where === 'styles' && slug !== undefined)
      throw invalidInput('slug goes with texts and links: style sheets are no part of a page');
    const pages = slug === undefined ? context.site.files() : [await pageFor(context, slug)];
    const { lines, left } =
      where === 'styles'
        ? await inStyles(context, text)
        : await onPages(context, { pages, text, where });
    if (lines.length === 0 && left.length === 0)
      return `"${inLine(cut(text, LONGEST_TEXT))}" stands in no ${where}${slug === undefined ? '' : ` of ${inLine(slug)}`}`;
    if (from > Math.max(1, lines.length))
      throw invalidInput(`from is ${from}, and there are ${lines.length} hits`);
    return [...paged(lines, from), ...left].join('\n');
  },
};

/** Lines with hits, and what was not searched. */
interface Found {
  lines: string[];
  left: string[];
}

interface Hit {
  id: string;
  says: string;
}

const order: Region[] = ['content', 'chrome', 'head', 'data'];

/** Joins the same text or link on several pages into one line. */
async function onPages(
  context: ToolContext,
  { pages, text, where }: { pages: readonly PageFile[]; text: string; where: 'texts' | 'links' },
): Promise<Found> {
  const places = new Map<string, { at: string[]; rank: number }>();
  const left: string[] = [];
  let found = 0;
  for (const page of pages) {
    if (found === PAGES_WITH_HITS) {
      left.push(`Pages after ${inLine(page.slug)} were not searched: give a slug`);
      break;
    }
    const hits = await (where === 'texts' ? textsOn : linksOn)(context, page, text).catch(
      onCode(['PAGE_UNREADABLE', 'LIMIT_EXCEEDED'], null),
    );
    if (hits === null) left.push(`${inLine(page.slug)} can't be read`);
    if (!hits?.length) continue;
    found++;
    const ids = hits.map(({ id }) => id);
    const regions = await context.site.ask(page, 'regions', ids);
    for (const [i, { id, says }] of hits.entries()) {
      const { at, rank } = places.get(says) ?? { at: [], rank: order.length };
      at.push(`${inLine(page.slug)} ${id}`);
      places.set(says, { at, rank: Math.min(rank, order.indexOf(regions[i]!)) });
    }
  }
  const sorted = [...places].sort(([, a], [, b]) => a.rank - b.rank);
  return { lines: sorted.map(([says, { at }]) => `${says}: ${placesOf(at)}`), left };
}

function placesOf(at: string[]): string {
  const rest = at.length - NAMED_PLACES;
  return at.slice(0, NAMED_PLACES).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

/** A page's text: in quotes, which its own cannot end. */
const quote = (text: string) => JSON.stringify(inLine(cut(text, LONGEST_TEXT + 2)));

async function textsOn({ site, texts }: ToolContext, page: PageFile, words: string) {
  if (!(await texts.mayContain(await site.pageSource(page), words))) return [];
  const hits = await texts.slotsWith((await site.read(page)).slots, words);
  return hits.map(({ id, role, text }): Hit => ({ id, says: `${role} ${quote(text)}` }));
}

async function linksOn({ site, texts }: ToolContext, page: PageFile, words: string) {
  const target = site.find(words);
  const source = await site.pageSource(page);
  const mayHave = target
    ? await texts.mayLeadTo(source, target)
    : await texts.mayContain(source, words);
  if (!mayHave) return [];
  const links = await texts.linksWith(await site.ask(page, 'links'), words);
  return links.map(({ id, role, text, href, slug }): Hit => ({
    id,
    says: `${role} ${quote(text)} to ${inLine(cut(slug ?? href, LONGEST_TEXT))}`,
  }));
}

/** Hits in the site's style sheets, by file and line. */
async function inStyles(context: ToolContext, words: string): Promise<Found> {
  const { site, texts } = context;
  const { sheets, unreadable } = await askSheets(filesEnding(context, '.css'), async (path) =>
    texts.linesWith(await site.source(path), words),
  );
  const lines = sheets.flatMap(({ path, answer: { count, hits } }) => {
    const rest = count - hits.length;
    const more = rest > 0 ? [`${inLine(path)} has it in ${rest} more lines`] : [];
    return [
      ...hits.map(({ line, text }) => `${inLine(path)} line ${line}: ${inLine(text)}`),
      ...more,
    ];
  });
  return { lines, left: unreadable.map(inLine) };
}

/** As many lines as fit, and the number of the first further one. */
function paged(lines: string[], from: number): string[] {
  const shown: string[] = [];
  let length = 0;
  for (const line of lines.slice(from - 1)) {
    const text = cut(line, LONGEST_ANSWER / 4);
    length += text.length + 1;
    if (length > LONGEST_ANSWER) break;
    shown.push(text);
  }
  const next = from + shown.length;
  const rest = lines.length - next + 1;
  return rest === 0 ? shown : [...shown, `${lines.length} hits; ${rest} more: from ${next}`];
}
