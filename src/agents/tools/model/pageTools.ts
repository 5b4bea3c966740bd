import { Joi } from '../../../joi.ts';
import { inLine } from '../../../text/text.ts';
import { defined } from '../../../contract/defined.ts';
import type { PageFile } from '../../../contract/site.ts';
import { invalidInput } from '../../../errors.ts';
import { decode } from '../../../sites/pages/urls.ts';
import { language, pageAt, slug } from '../arguments.ts';
import { leadTo } from '../linking.ts';
import { deletePage, movePage, newSlug } from '../structure.ts';
import type { Tool, ToolContext } from '../tool.ts';
import { counted } from './findOrSuggest.ts';

const MOST_SECTIONS = 100;

interface CreatePage {
  slug: string;
  from: string;
  sections?: string[];
  lang?: string;
}

const createPage: Tool = {
  name: 'create_page',
  description:
    'Copies the page `from`. `sections`: ids of those to keep; all if absent. `lang`: the new language, if another one; both pages then name each other.',
  schema: Joi.object({
    slug: slug,
    from: slug,
    sections: Joi.array().items(Joi.string().max(100)).max(MOST_SECTIONS).unique(),
    lang: language,
  }),
  run: async (context: ToolContext, { from, sections, lang, ...args }: CreatePage) => {
    const { site } = context;
    const page = pageAt(site, from);
    const target = await site.fileFor(newSlug(args.slug), page);
    await site.create(page, target, defined({ sections, lang }));
    const says = lang === undefined ? '' : await nameEachOther(context, page, target, lang);
    const back = sections ? await leadBack(context, page, target) : '';
    return `${inLine(`Created ${target.slug}${says}${back}`)}\n${await site.outline(target)}`;
  },
};

/**
 * Repairs links of a copy to parts that the copy lacks, such as those in a menu: they now link to
 * the original page.
 */
async function leadBack(context: ToolContext, page: PageFile, copy: PageFile): Promise<string> {
  const { site } = context;
  const left = new Set(await site.ask(page, 'anchors')).difference(
    new Set(await site.ask(copy, 'anchors')),
  );
  const links = await site.ask(copy, 'links');
  const lost = links.filter(({ href }) => href.startsWith('#') && left.has(decode(href.slice(1))));
  for (const { id, href } of lost)
    await leadTo(context, copy, id, { ...page, query: '', fragment: href });
  return lost.length === 0
    ? ''
    : `; ${counted(lost.length, 'link')} to what was left out now lead to ${page.slug}`;
}

/** Adds `hreflang` links between both pages if their languages differ. */
async function nameEachOther(
  { site }: ToolContext,
  page: PageFile,
  target: PageFile,
  lang: string,
): Promise<string> {
  const own = await site.ask(page, 'language');
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
