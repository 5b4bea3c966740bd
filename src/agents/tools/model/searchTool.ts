import { Joi } from '../../../joi.ts';
import { invalidInput, onCode } from '../../../errors.ts';
import { cut, inLine } from '../../../text/text.ts';
import { pageAt, slug, words } from '../arguments.ts';
import type { Tool, ToolContext } from '../tool.ts';
import { filesEnding } from './fileTools.ts';
import { pagedLines } from './listing.ts';

/** Most pages with hits; more are searched one by one. */
const PAGES_WITH_HITS = 200;
const LONGEST_ANSWER = 12_000;
const LONGEST_LINE = 240;
/** Most places of a line that is on many pages. */
const NAMED_PLACES = 20;

interface Search {
  text: string;
  in?: 'pages' | 'styles';
  slug?: string;
  from?: number;
}

export const searchTool: Tool = {
  name: 'search',
  description:
    'Finds a text, in any case, in the lines of the HTML of all pages or one, or of the style sheets (`in`: styles). Answers each line once, with its pages and line numbers.',
  schema: Joi.object({
    text: words,
    in: Joi.valid('pages', 'styles'),
    slug: slug.optional(),
    from: Joi.number().integer().min(1),
  }),
  run: async (context: ToolContext, { text, in: where = 'pages', slug, from = 1 }: Search) => {
    if (where === 'styles' && slug !== undefined)
      throw invalidInput('slug goes with pages: style sheets are no part of a page');
    const pages = slug === undefined ? context.site.files() : [pageAt(context.site, slug)];
    const searched =
      where === 'styles'
        ? filesEnding(context, '.css').map((path) => ({ path, name: path }))
        : pages.map(({ path, slug }) => ({ path, name: slug }));
    const { lines, left } = await search(context, searched, text);
    if (lines.length === 0 && left.length === 0)
      return `No line of ${slug === undefined ? `the ${where}` : inLine(slug)} has "${inLine(cut(text, LONGEST_LINE))}"`;
    if (from > Math.max(1, lines.length))
      throw invalidInput(`from is ${from}, and there are ${lines.length} hits`);
    const shown = lines.map((line) => cut(line, LONGEST_ANSWER / 4));
    const hits = pagedLines(shown, from - 1, {
      longest: LONGEST_ANSWER,
      nameAt: (index) => index + 1,
    });
    return [...(lines.length > 0 ? [hits] : []), ...left].join('\n');
  },
};

/** Lines with hits, and what was not searched. */
interface Found {
  lines: string[];
  left: string[];
}

/** Joins the same line of several files into one. */
async function search(
  { site, texts }: ToolContext,
  files: { path: string; name: string }[],
  words: string,
): Promise<Found> {
  const places = new Map<string, string[]>();
  const left: string[] = [];
  let found = 0;
  for (const { path, name } of files) {
    if (found === PAGES_WITH_HITS) {
      left.push(`Pages after ${inLine(name)} were not searched: give a slug`);
      break;
    }
    const source = await site
      .source(path)
      .catch(onCode(['PAGE_UNREADABLE', 'LIMIT_EXCEEDED'], null));
    if (source === null) left.push(`${inLine(name)} can't be read`);
    const { count, hits } = source === null ? NOTHING : await texts.linesWith(source, words);
    if (count > 0) found++;
    for (const { line, text } of hits)
      places.set(text, [...(places.get(text) ?? []), `${inLine(name)}:${line}`]);
    if (count > hits.length)
      left.push(`${inLine(name)} has it in ${count - hits.length} more lines`);
  }
  const lines = [...places].map(
    ([text, at]) => `${placesOf(at)} ${inLine(cut(text, LONGEST_LINE))}`,
  );
  return { lines, left };
}

const NOTHING = { count: 0, hits: [] };

function placesOf(at: string[]): string {
  const rest = at.length - NAMED_PLACES;
  return at.slice(0, NAMED_PLACES).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}
