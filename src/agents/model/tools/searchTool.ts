import { Joi } from '../../../boundedJoi.ts';
import { invalidInputError, onCode } from '../../../errors.ts';
import { truncateText, asOneLine } from '../../../text/text.ts';
import { requirePage, slugSchema, wordsSchema } from '../../shared/tools/toolArguments.ts';
import type { ModelTool, ToolContext } from '../../shared/tools/toolContext.ts';
import { listFilesEnding } from './editFileTool.ts';
import { createPagedLines } from './pagedLines.ts';

/** Most pages with hits; more are searched one by one. */
const MAX_FILES_WITH_HITS = 200;
const MAX_ANSWER_LENGTH = 12_000;
const MAX_LINE_LENGTH = 240;
/** Most places of a line that is on many pages. */
const MAX_NAMED_PLACES = 20;

interface SearchArguments {
  text: string;
  in?: 'pages' | 'styles';
  slug?: string;
  from?: number;
}

/** What the tool answers besides hits. */
export const searchTexts = {
  noHit: (searchedFiles: string, text: string) =>
    `No line of ${searchedFiles} has "${asOneLine(truncateText(text, MAX_LINE_LENGTH))}"`,
  slugOfStyles: () => 'slug only selects pages. Leave it out to search style sheets',
  afterLastHit: (from: number, hitCount: number) =>
    `from is ${from}, and there are ${hitCount} hits`,
  notSearched: (slug: string) => `Pages after ${asOneLine(slug)} were not searched: give a slug`,
  unreadable: (name: string) => `${asOneLine(name)} can't be read`,
  moreLines: (name: string, count: number) => `${asOneLine(name)} has it in ${count} more lines`,
};

export const searchTool: ModelTool = {
  name: 'search',
  description:
    'Finds a text, in any case, in the lines of the HTML of all pages or one, or of the style sheets (`in`: styles). Answers each line once, with its pages and line numbers.',
  schema: Joi.object({
    text: wordsSchema,
    in: Joi.valid('pages', 'styles'),
    slug: slugSchema.optional(),
    from: Joi.number().integer().min(1),
  }),
  run: async (
    context: ToolContext,
    { text, in: searchedIn = 'pages', slug, from = 1 }: SearchArguments,
  ) => {
    if (searchedIn === 'styles' && slug !== undefined)
      throw invalidInputError(searchTexts.slugOfStyles());
    const pages = slug === undefined ? context.site.files() : [requirePage(context.site, slug)];
    const searchedFiles =
      searchedIn === 'styles'
        ? listFilesEnding(context, '.css').map((path) => ({ path, name: path }))
        : pages.map(({ path, slug }) => ({ path, name: slug }));
    const { lines, left: remarks } = await searchFiles(context, searchedFiles, text);
    if (lines.length === 0 && remarks.length === 0)
      return searchTexts.noHit(slug === undefined ? `the ${searchedIn}` : asOneLine(slug), text);
    if (from > Math.max(1, lines.length))
      throw invalidInputError(searchTexts.afterLastHit(from, lines.length));
    const shownLines = lines.map((line) => truncateText(line, MAX_ANSWER_LENGTH / 4));
    const hits = createPagedLines(shownLines, from - 1, {
      longest: MAX_ANSWER_LENGTH,
      nameAt: (index) => index + 1,
    });
    return [...(lines.length > 0 ? [hits] : []), ...remarks].join('\n');
  },
};

/** Lines with hits, and what was not searched. */
interface FoundLines {
  lines: string[];
  left: string[];
}

/** Searches files for words. A line that several files have is listed once, with all its places. */
async function searchFiles(
  { site, texts }: ToolContext,
  files: { path: string; name: string }[],
  words: string,
): Promise<FoundLines> {
  const placesByLine = new Map<string, string[]>();
  const remarks: string[] = [];
  let filesWithHits = 0;
  for (const { path, name } of files) {
    if (filesWithHits === MAX_FILES_WITH_HITS) {
      remarks.push(searchTexts.notSearched(name));
      break;
    }
    const source = await site
      .source(path)
      .catch(onCode(['PAGE_UNREADABLE', 'LIMIT_EXCEEDED'], null));
    if (source === null) remarks.push(searchTexts.unreadable(name));
    const { count, hits } = source === null ? NO_HITS : await texts.linesWith(source, words);
    if (count > 0) filesWithHits++;
    for (const { line, text } of hits)
      placesByLine.set(text, [...(placesByLine.get(text) ?? []), `${asOneLine(name)}:${line}`]);
    if (count > hits.length) remarks.push(searchTexts.moreLines(name, count - hits.length));
  }
  const lines = [...placesByLine].map(
    ([text, places]) => `${listPlaces(places)} ${asOneLine(truncateText(text, MAX_LINE_LENGTH))}`,
  );
  return { lines, left: remarks };
}

const NO_HITS = { count: 0, hits: [] };

function listPlaces(places: string[]): string {
  const omittedCount = places.length - MAX_NAMED_PLACES;
  return (
    places.slice(0, MAX_NAMED_PLACES).join(', ') +
    (omittedCount > 0 ? ` and ${omittedCount} more` : '')
  );
}
