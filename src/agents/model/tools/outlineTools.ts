import { Joi } from '../../../boundedJoi.ts';
import { withoutUndefined } from '../../../contract/withoutUndefined.ts';
import { notFoundError } from '../../../errors.ts';
import { truncateText, asOneLine } from '../../../text/text.ts';
import { pageNotFound } from '../../shared/tools/pageNotFound.ts';
import { requirePage, slugSchema } from '../../shared/tools/toolArguments.ts';
import type { ModelTool, ToolContext } from '../../shared/tools/toolContext.ts';
import { createPagedLines } from './pagedLines.ts';

/** Most characters of a list of pages. */
const MAX_LIST_LENGTH = 24_000;
const MAX_TITLE_LENGTH = 200;

const pageListingTool: ModelTool = {
  name: 'list_pages',
  description: 'Lists the pages: slug and title.',
  schema: Joi.object({
    from: slugSchema.optional(),
  }),
  run: async (context: ToolContext, { from }: { from?: string }) => {
    const titles = await context.site.titles();
    const firstIndex = from === undefined ? 0 : titles.findIndex(({ slug }) => slug === from);
    if (firstIndex === -1) throw notFoundError(pageNotFound(from!));
    const lines = titles.map(({ slug, title }) =>
      asOneLine(`${slug} ${truncateText(title, MAX_TITLE_LENGTH)}`),
    );
    return createPagedLines(lines, firstIndex, {
      longest: MAX_LIST_LENGTH,
      nameAt: (index) => asOneLine(titles[index]!.slug),
    });
  },
};

interface ReadPageArguments {
  slug: string;
  chrome?: boolean;
  from?: number;
}

const readPageTool: ModelTool = {
  name: 'read_page',
  description:
    'Reads a page as an outline, to understand it: headings, texts, links, repeated blocks and sections, with their lines, and what is missing from the head. `chrome`: instead, what stands on other pages too, such as navigation and footer. `from`: the line to read on from.',
  schema: Joi.object({
    slug: slugSchema,
    chrome: Joi.boolean(),
    from: Joi.number().integer().min(1),
  }),
  run: async (context: ToolContext, { slug, chrome, from }: ReadPageArguments) => {
    const page = requirePage(context.site, slug);
    const text = await context.site.outline(page, withoutUndefined({ isChrome: chrome, from }));
    const pictures = context.pictures.show(await context.site.query(page, 'images'));
    return { text, pictures };
  },
};

export const outlineTools: ModelTool[] = [pageListingTool, readPageTool];
