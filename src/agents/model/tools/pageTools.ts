import { Joi } from '../../../boundedJoi.ts';
import { asOneLine } from '../../../text/text.ts';
import { withoutUndefined } from '../../../contract/withoutUndefined.ts';
import type { PageFile } from '../../../contract/site.ts';
import { invalidInputError } from '../../../errors.ts';
import { languageSchema, requirePage, slugSchema } from '../../shared/tools/toolArguments.ts';
import { deletePage, movePage, checkNewSlug } from '../../shared/tools/wholePages.ts';
import type { ModelTool, ToolContext } from '../../shared/tools/toolContext.ts';

interface CreatePageArguments {
  slug: string;
  from: string;
  lang?: string;
}

/** What the tools answer. */
export const creationTexts = {
  created: (slug: string) => `Created ${slug}`,
  translated: (lang: string, source: string) =>
    ` in ${lang}; it and ${source} name each other by hreflang`,
  deletesHome: () => 'The home page "/" can\'t be deleted',
};

const createPageTool: ModelTool = {
  name: 'create_page',
  description:
    'Makes a page as a copy of the page `from`, with its own address. `lang`: its language, if another one: lang, og:locale and the hreflang links of both pages are set. Change its texts with edit_html.',
  schema: Joi.object({
    slug: slugSchema,
    from: slugSchema,
    lang: languageSchema,
  }),
  run: async (context: ToolContext, { from, lang, ...pageArguments }: CreatePageArguments) => {
    const { site } = context;
    const page = requirePage(site, from);
    const target = await site.fileFor(checkNewSlug(pageArguments.slug), page);
    await site.create(page, target, withoutUndefined({ lang }));
    const hreflangSentence =
      lang === undefined ? '' : await addHreflangLinks(context, page, target, lang);
    return `${asOneLine(creationTexts.created(target.slug) + hreflangSentence)}\n${await site.outline(target)}`;
  },
};

/** Adds `hreflang` links between both pages if their languages differ. */
async function addHreflangLinks(
  { site }: ToolContext,
  page: PageFile,
  target: PageFile,
  lang: string,
): Promise<string> {
  const { language: ownLanguage } = await site.query(page, 'identity');
  if (ownLanguage === null || ownLanguage.toLowerCase() === lang.toLowerCase()) return '';
  const isLinked = [
    await site.edit(target, 'addAlternate', { translation: page, lang: ownLanguage }),
    await site.edit(page, 'addAlternate', { translation: target, lang }),
  ];
  // a page in Markdown has no such links: its generator makes them
  return isLinked.includes(true) ? creationTexts.translated(lang, page.slug) : '';
}

/** Deletes a page. The home page is refused: other websites link to it. */
const deletePageTool: ModelTool = {
  name: 'delete_page',
  description:
    'Deletes a page. With `links`, links to it become text, and its entries of the navigation go. `redirect`: the page to which its address leads on.',
  schema: Joi.object({
    slug: slugSchema,
    links: Joi.valid('remove'),
    redirect: slugSchema.optional(),
  }),
  run: (
    context: ToolContext,
    deleteArguments: { slug: string; links?: 'remove'; redirect?: string },
  ) => {
    if (deleteArguments.slug === '/') throw invalidInputError(creationTexts.deletesHome());
    return deletePage(context, deleteArguments);
  },
};

const movePageTool: ModelTool = {
  name: 'move_page',
  description: 'Moves a page. All links to it follow; its old address redirects to it.',
  schema: Joi.object({
    slug: slugSchema,
    to: slugSchema,
  }),
  run: movePage,
};

export const pageTools: ModelTool[] = [createPageTool, movePageTool, deletePageTool];
