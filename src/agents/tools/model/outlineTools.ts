import Joi from 'joi';
import { defined } from '../../../contract/defined.ts';
import { notFound } from '../../../errors.ts';
import { cut } from '../../../text/text.ts';
import { slug } from '../arguments.ts';
import type { Tool, ToolContext } from '../tool.ts';
import { closestSlugs, pageFor, withNear } from './findOrSuggest.ts';

/** Most characters of a list of pages. */
const LONGEST_LIST = 24_000;
const LONGEST_TITLE = 200;

export const id = Joi.string().max(100).required();

const listPages: Tool = {
  name: 'list_pages',
  description: 'Lists the pages of the site, a line a page: slug and title.',
  schema: Joi.object({
    from: slug.optional().description('The slug to read on from, where a list says so.'),
  }),
  run: async (context: ToolContext, { from }: { from?: string }) => {
    const titles = await context.site.titles();
    const first = from === undefined ? 0 : titles.findIndex(({ slug }) => slug === from);
    if (first === -1)
      throw notFound(`Page not found: ${from}; ${await closestSlugs(context, from!)}`);
    const lines: string[] = [];
    let length = 0;
    for (const { slug, title } of titles.slice(first)) {
      const line = `${slug} ${cut(title, LONGEST_TITLE)}`;
      length += line.length + 1;
      if (length > LONGEST_LIST)
        return [...lines, `${titles.length - first - lines.length} more: from ${slug}`].join('\n');
      lines.push(line);
    }
    return lines.join('\n');
  },
};

interface ReadPage {
  slug: string;
  part?: 'texts' | 'chrome';
  from?: string;
}

const readPage: Tool = {
  name: 'read_page',
  description:
    'Reads a page as an outline, a line a text: `[g54.0] s55 h3 Starter`. First the members of repeated blocks that begin here (`*`: new ones are copies of this one, `[/g54]`: the block ended), then the id, the kind, where its link leads, and the text. `=s55` is the text of s55 again. Inline markup reads as numbered parts, which stand behind the text: `Call <1>us</1>. {1 a(/contact)@s60}`, where s60 is the id of the link. Ids stay the same for the whole task.',
  schema: Joi.object({
    slug,
    part: Joi.valid('texts', 'chrome').description(
      "`texts`, the default: what is the page's own. `chrome`: what stands on every page, such as navigation and footer.",
    ),
    from: id.optional().description('The id to read on from, where an outline says so.'),
  }),
  run: async (context: ToolContext, { slug, ...view }: ReadPage) => {
    const page = await pageFor(context, slug);
    return context.site.outline(page, defined(view));
  },
};

const readSection: Tool = {
  name: 'read_section',
  description:
    'Reads the HTML of a group, or of the section, table or navigation around an id: 8,000 characters at most.',
  schema: Joi.object({
    slug,
    id: id.description('An id of read_page: of a heading, any text, a link, an image or a group.'),
  }),
  run: async (context: ToolContext, { slug, id }: { slug: string; id: string }) => {
    const page = await pageFor(context, slug);
    const markup = context.site.ask(page, 'markup', id);
    return withNear(context, page, id, markup);
  },
};

export const outlineTools: Tool[] = [listPages, readPage, readSection];
