import { Joi } from '../../../joi.ts';
import { defined } from '../../../contract/defined.ts';
import { notFound } from '../../../errors.ts';
import { cut, inLine } from '../../../text/text.ts';
import { pageAt, slug } from '../arguments.ts';
import type { Tool, ToolContext } from '../tool.ts';
import { pagedLines } from './listing.ts';

/** Most characters of a list of pages. */
const LONGEST_LIST = 24_000;
const LONGEST_TITLE = 200;

const listPages: Tool = {
  name: 'list_pages',
  description: 'Lists the pages: slug and title.',
  schema: Joi.object({
    from: slug.optional(),
  }),
  run: async (context: ToolContext, { from }: { from?: string }) => {
    const titles = await context.site.titles();
    const first = from === undefined ? 0 : titles.findIndex(({ slug }) => slug === from);
    if (first === -1) throw notFound(`Page not found: ${from}`);
    const lines = titles.map(({ slug, title }) => inLine(`${slug} ${cut(title, LONGEST_TITLE)}`));
    return pagedLines(lines, first, {
      longest: LONGEST_LIST,
      nameAt: (index) => inLine(titles[index]!.slug),
    });
  },
};

interface ReadPage {
  slug: string;
  chrome?: boolean;
  from?: number;
}

const readPage: Tool = {
  name: 'read_page',
  description:
    'Reads a page as an outline, to understand it: headings, texts, links, repeated blocks and sections, with their lines, and what is missing from the head. `chrome`: instead, what stands on other pages too, such as navigation and footer. `from`: the line to read on from.',
  schema: Joi.object({
    slug,
    chrome: Joi.boolean(),
    from: Joi.number().integer().min(1),
  }),
  run: async (context: ToolContext, { slug, chrome, from }: ReadPage) => {
    const page = pageAt(context.site, slug);
    const text = await context.site.outline(page, defined({ isChrome: chrome, from }));
    const pictures = context.pictures.show(await context.site.query(page, 'images'));
    return { text, pictures };
  },
};

export const outlineTools: Tool[] = [listPages, readPage];
