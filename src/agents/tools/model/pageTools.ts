import { Joi } from '../../../joi.ts';
import { inLine } from '../../../text/text.ts';
import { defined } from '../../../contract/defined.ts';
import type { PageFile } from '../../../contract/site.ts';
import { invalidInput } from '../../../errors.ts';
import { language, pageAt, slug } from '../arguments.ts';
import { deletePage, movePage, newSlug } from '../structure.ts';
import type { Tool, ToolContext } from '../tool.ts';

interface CreatePage {
  slug: string;
  from: string;
  lang?: string;
}

const createPage: Tool = {
  name: 'create_page',
  description:
    'Makes a page as a copy of the page `from`, with its own address. `lang`: its language, if another one: lang, og:locale and the hreflang links of both pages are set. Change its texts with edit_html.',
  schema: Joi.object({
    slug: slug,
    from: slug,
    lang: language,
  }),
  run: async (context: ToolContext, { from, lang, ...args }: CreatePage) => {
    const { site } = context;
    const page = pageAt(site, from);
    const target = await site.fileFor(newSlug(args.slug), page);
    await site.create(page, target, defined({ lang }));
    const says = lang === undefined ? '' : await nameEachOther(context, page, target, lang);
    return `${inLine(`Created ${target.slug}${says}`)}\n${await site.outline(target)}`;
  },
};

/** Adds `hreflang` links between both pages if their languages differ. */
async function nameEachOther(
  { site }: ToolContext,
  page: PageFile,
  target: PageFile,
  lang: string,
): Promise<string> {
  const { language: own } = await site.query(page, 'identity');
  if (own === null || own.toLowerCase() === lang.toLowerCase()) return '';
  await site.edit(target, 'addAlternate', { other: page, lang: own });
  await site.edit(page, 'addAlternate', { other: target, lang });
  return ` in ${lang}; it and ${page.slug} name each other by hreflang`;
}

/** Deletes a page. The home page is refused: other websites link to it. */
const deleteOther: Tool = {
  name: 'delete_page',
  description:
    'Deletes a page. With `links`, links to it become text, and its entries of the navigation go. `redirect`: the page to which its address leads on.',
  schema: Joi.object({ slug, links: Joi.valid('remove'), redirect: slug.optional() }),
  run: (context: ToolContext, args: { slug: string; links?: 'remove'; redirect?: string }) => {
    if (args.slug === '/') throw invalidInput('The home page "/" can\'t be deleted');
    return deletePage(context, args);
  },
};

const move: Tool = {
  name: 'move_page',
  description: 'Moves a page. All links to it follow; its old address redirects to it.',
  schema: Joi.object({
    slug: slug,
    to: slug,
  }),
  run: movePage,
};

export const pageTools: Tool[] = [createPage, move, deleteOther];
