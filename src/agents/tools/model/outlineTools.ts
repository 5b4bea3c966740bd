import { Joi } from '../../../joi.ts';
import { defined } from '../../../contract/defined.ts';
import { limits } from '../../../contract/task.ts';
import type { PageFile } from '../../../contract/site.ts';
import { invalidInput, notFound, onCode } from '../../../errors.ts';
import { cut, inLine } from '../../../text/text.ts';
import { slug } from '../arguments.ts';
import type { Tool, ToolContext } from '../tool.ts';
import { closestSlugs, pageFor, withNear } from './findOrSuggest.ts';

/** Most characters of a list of pages. */
const LONGEST_LIST = 24_000;
const LONGEST_TITLE = 200;

export const id = Joi.string().max(100).required();

const listPages: Tool = {
  name: 'list_pages',
  description: 'Lists the pages: slug and title.',
  schema: Joi.object({
    from: slug.optional(),
  }),
  run: async (context: ToolContext, { from }: { from?: string }) => {
    const titles = await context.site.titles();
    const first = from === undefined ? 0 : titles.findIndex(({ slug }) => slug === from);
    if (first === -1)
      throw notFound(`Page not found: ${from}; ${await closestSlugs(context, from!)}`);
    const lines: string[] = [];
    let length = 0;
    for (const { slug, title } of titles.slice(first)) {
      const line = inLine(`${slug} ${cut(title, LONGEST_TITLE)}`);
      length += line.length + 1;
      if (length > LONGEST_LIST)
        return [
          ...lines,
          `${titles.length - first - lines.length} more: from ${inLine(slug)}`,
        ].join('\n');
      lines.push(line);
    }
    return lines.join('\n');
  },
};

interface ReadPage {
  slug?: string;
  part?: 'texts' | 'chrome' | 'head';
  from?: string;
}

const readPage: Tool = {
  name: 'read_page',
  description:
    'Reads a page as an outline: its own `texts`, the default; the `chrome` that stands on every page; or the `head` of one or all pages: titles, descriptions, addresses and languages.',
  schema: Joi.object({
    slug: slug.optional(),
    part: Joi.valid('texts', 'chrome', 'head'),
    from: Joi.string().max(limits.slugLength),
  }),
  run: async (context: ToolContext, { slug, ...view }: ReadPage) => {
    if (view.part === 'head')
      return headsOf(context, slug === undefined ? undefined : await pageFor(context, slug), view);
    if (slug === undefined)
      throw invalidInput('Wrong arguments for read_page: "slug" is required, but for part: head');
    const page = await pageFor(context, slug);
    return context.site.outline(page, defined(view));
  },
};

/** The heads of one page or all, as many as fit. */
async function headsOf(
  context: ToolContext,
  page: PageFile | undefined,
  { from }: Pick<ReadPage, 'from'>,
): Promise<string> {
  const pages = page ? [page] : context.site.files();
  const first = from === undefined ? 0 : pages.findIndex(({ slug }) => slug === from);
  if (first === -1)
    throw notFound(`Page not found: ${from}; ${await closestSlugs(context, from!)}`);
  const heads: string[] = [];
  let length = 0;
  for (const one of pages.slice(first)) {
    const head = await context.site
      .outline(one, { part: 'head' })
      .catch(onCode(['PAGE_UNREADABLE', 'LIMIT_EXCEEDED'], "can't be read"));
    const text = `${inLine(one.slug)} ${head}`;
    length += text.length + 1;
    if (length > LONGEST_LIST && heads.length > 0)
      return [
        ...heads,
        `${pages.length - first - heads.length} more pages: from ${inLine(one.slug)}`,
      ].join('\n');
    heads.push(text);
  }
  return heads.join('\n');
}

const readSection: Tool = {
  name: 'read_section',
  description:
    'Reads the HTML of a group, or of the section, table or navigation around an id: 8,000 characters at most.',
  schema: Joi.object({
    slug,
    id: id,
  }),
  run: async (context: ToolContext, { slug, id }: { slug: string; id: string }) => {
    const page = await pageFor(context, slug);
    const markup = context.site.ask(page, 'markup', id);
    return withNear(context, page, id, markup);
  },
};

export const outlineTools: Tool[] = [listPages, readPage, readSection];
