import Joi from 'joi';
import type { PageFile } from '../../../contract/site.ts';
import { cut } from '../../../text/text.ts';
import { words } from '../arguments.ts';
import { hitsOn } from '../readPages.ts';
import { HITS_PER_PAGE } from '../textsPort.ts';
import type { Tool, ToolContext } from '../tool.ts';
import { counted } from './findOrSuggest.ts';
import { askSheets, filesEnding } from './fileTools.ts';

const PAGES_WITH_HITS = 50;
const LONGEST_ANSWER = 12_000;
const LONGEST_TEXT = 160;
const LINES_PER_FILE = 20;

type Where = 'texts' | 'links' | 'styles';

export const searchTool: Tool = {
  name: 'search',
  description: `Finds words on all pages, in any case: whole words in texts; in the texts and addresses of links ("/pricing" finds the links to that page); or in the lines of style sheets. Names each text or link once, with its pages and ids; at most ${HITS_PER_PAGE} hits a page on ${PAGES_WITH_HITS} pages.`,
  schema: Joi.object({
    text: words.description('The words to find.'),
    in: Joi.valid('texts', 'links', 'styles').description('The default is `texts`.'),
  }),
  run: async (
    context: ToolContext,
    { text, in: where = 'texts' }: { text: string; in?: Where },
  ) => {
    const lines =
      where === 'styles' ? await inStyles(context, text) : await onPages(context, text, where);
    return lines.length === 0
      ? `"${cut(text, LONGEST_TEXT)}" stands in no ${where}`
      : bounded(lines);
  },
};

/** Joins the same text or link on several pages into one line. */
async function onPages(
  context: ToolContext,
  text: string,
  where: 'texts' | 'links',
): Promise<string[]> {
  const places = new Map<string, string[]>();
  const rests: string[] = [];
  let pages = 0;
  for (const page of context.site.files()) {
    if (pages === PAGES_WITH_HITS) {
      rests.push(`pages after ${page.slug} were not searched`);
      break;
    }
    const { count, hits } =
      where === 'texts' ? await textsOn(context, page, text) : await linksOn(context, page, text);
    if (hits.length === 0) continue;
    pages++;
    for (const { id, says } of hits)
      places.set(says, [...(places.get(says) ?? []), `${page.slug} ${id}`]);
    if (count > hits.length) rests.push(`${page.slug} has it ${counted(count, 'time')} in all`);
  }
  return [...[...places].map(([says, at]) => `${says}: ${at.join(', ')}`), ...rests];
}

interface Found {
  count: number;
  hits: { id: string; says: string }[];
}

async function textsOn(context: ToolContext, page: PageFile, words: string): Promise<Found> {
  const { count, hits } = (await hitsOn(context, page, words)) ?? { count: 0, hits: [] };
  return { count, hits: hits.map(({ id, role, text }) => ({ id, says: `${role} "${text}"` })) };
}

async function linksOn(
  { site, texts }: ToolContext,
  page: PageFile,
  words: string,
): Promise<Found> {
  const target = site.find(words);
  const source = await site.pageSource(page);
  const mayHave = target
    ? await texts.mayLeadTo(source, target)
    : await texts.mayContain(source, words);
  if (!mayHave) return { count: 0, hits: [] };
  const links = await texts.linksWith(await site.ask(page, 'links'), words);
  const hits = links.slice(0, HITS_PER_PAGE).map(({ id, role, text, href, slug }) => ({
    id,
    says: `${role} "${cut(text, LONGEST_TEXT)}" to ${cut(slug ?? href, LONGEST_TEXT)}`,
  }));
  return { count: links.length, hits };
}

/** Hits in the site's style sheets, by file and line. */
async function inStyles(context: ToolContext, words: string): Promise<string[]> {
  const { site, texts } = context;
  const { sheets, unreadable } = await askSheets(filesEnding(context, '.css'), async (path) =>
    texts.linesWith(await site.source(path), words),
  );
  const lines = sheets.flatMap(({ path, answer: { count, hits } }) => {
    const named = hits.slice(0, LINES_PER_FILE);
    const rest = count - named.length;
    const more = rest > 0 ? [`${path} has it in ${rest} more lines`] : [];
    return [...named.map(({ line, text }) => `${path} line ${line}: ${text}`), ...more];
  });
  return [...lines, ...unreadable];
}

/** As many lines as fit, and the number of further lines. */
function bounded(lines: string[]): string {
  const shown: string[] = [];
  let length = 0;
  for (const line of lines) {
    const text = cut(line, LONGEST_ANSWER / 4);
    length += text.length + 1;
    if (length > LONGEST_ANSWER) break;
    shown.push(text);
  }
  const rest = lines.length - shown.length;
  return [...shown, ...(rest > 0 ? [`${rest} more; search for more words`] : [])].join('\n');
}
