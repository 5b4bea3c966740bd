import Joi from 'joi';
import { defined } from '../../../contract/defined.ts';
import type { PageFile } from '../../../contract/site.ts';
import type { Section } from '../../../sites/formats/page.ts';
import { pageAt, slug } from '../arguments.ts';
import { removeSection as removeByRules } from '../sections.ts';
import type { Tool, ToolContext } from '../tool.ts';
import { id } from './outlineTools.ts';

const LONGEST_MARKUP = 20_000;
const LONGEST_NAME = 80;
const NAMED = 60;

interface InsertSection {
  slug: string;
  after: string;
  from?: { slug: string; section: string };
  html?: string;
}

const insertSection: Tool = {
  name: 'insert_section',
  description:
    "Puts a section behind another one: best a copy of a section of any page (`from`), else new markup (`html`) with the site's classes only, without style, script, forms and frames. What is refused is named, and nothing changes.",
  schema: Joi.object({
    slug,
    after: id.description("Id of the section that it comes behind, or of the page's h1."),
    from: Joi.object({ slug, section: id.description('Id of the section to copy.') }),
    html: Joi.string()
      .max(LONGEST_MARKUP)
      .description('Every element with its end tag; addresses of the site, https, mailto or tel.'),
  }).xor('from', 'html'),
  run: async (context: ToolContext, { slug, after, from, html }: InsertSection) => {
    const { site } = context;
    const page = pageAt(site, slug);
    const wanted = html === undefined ? [] : await site.ask(page, 'classesOf', html);
    const known = {
      sitePaths: site.paths().filter((path) => site.isRegular(path)),
      classes: await site.knownClasses(wanted),
    };
    const origin = from && {
      page: await site.pageSource(pageAt(site, from.slug)),
      section: from.section,
    };
    const before = new Set((await site.read(page)).slots.map(({ id }) => id));
    await site.rebuild(page, {
      kind: 'insert-section',
      after,
      site: known,
      ...defined({ from: origin, html }),
    });
    const added = (await site.read(page)).slots.map(({ id }) => id).filter((id) => !before.has(id));
    const texts = added.slice(0, NAMED);
    const outline = await site.outline(page, { texts });
    return ['Inserted; its texts:', outline, await sectionList(context, page)].join('\n');
  },
};

/** A page's sections, one line for each. */
async function sectionList({ site }: ToolContext, page: PageFile): Promise<string> {
  const sections = await site.ask(page, 'sections');
  const rest = sections.length - NAMED;
  const lines = sections.slice(0, NAMED).map(lineOf);
  return [`Sections of ${page.slug}:`, ...lines, ...(rest > 0 ? [`${rest} more`] : [])].join('\n');
}

const lineOf = ({ id, kind, level, name }: Section) =>
  `${id} ${kind === 'table' ? 'table' : `h${level}`} ${name.slice(0, LONGEST_NAME)}`;

const removeSection: Tool = {
  name: 'remove_section',
  description:
    'Takes a section or a table out of a page. Answers the sections that are left; links into it are warned of.',
  schema: Joi.object({ slug, section: id.description('Id of the section.') }),
  run: async (context: ToolContext, { slug, section }: { slug: string; section: string }) => {
    await removeByRules(context, { slug, id: section });
    return sectionList(context, pageAt(context.site, slug));
  },
};

const moveSection: Tool = {
  name: 'move_section',
  description:
    'Puts a section of a page before or behind another one, byte for byte. Answers the sections in their order.',
  schema: Joi.object({
    slug,
    section: id.description('Id of the section to move.'),
    before: id.optional().description('Id of the section that it comes before.'),
    after: id.optional().description('Id of the section that it comes behind.'),
  }).xor('before', 'after'),
  run: async (
    context: ToolContext,
    args: { slug: string; section: string; before?: string; after?: string },
  ) => {
    const page = pageAt(context.site, args.slug);
    const where = args.before === undefined ? 'after' : 'before';
    await context.site.rebuild(page, {
      kind: 'move-section',
      id: args.section,
      where,
      other: args[where]!,
    });
    return sectionList(context, page);
  },
};

export const sectionTools: Tool[] = [insertSection, removeSection, moveSection];
