import { Joi } from '../../../joi.ts';
import { inLine } from '../../../text/text.ts';
import { defined } from '../../../contract/defined.ts';
import type { PageFile } from '../../../contract/site.ts';
import type { Section } from '../../../sites/formats/page.ts';
import { finalError, invalidInput } from '../../../errors.ts';
import type { SectionChange } from '../../../sites/formats/format.ts';
import { quoted } from '../../../text/text.ts';
import { pageAt, slug } from '../arguments.ts';
import { textsOf } from '../removePart.ts';
import { removeSection as removeByRules } from '../sections.ts';
import type { Tool, ToolContext } from '../tool.ts';
import { listed } from './findOrSuggest.ts';
import { id } from './outlineTools.ts';
import { tellingHosts } from './newHosts.ts';
import { everywhere, reached, sisterPlaces, type Reach } from './sisterPlaces.ts';

const LONGEST_MARKUP = 20_000;
const LONGEST_NAME = 80;
const NAMED = 60;
const NAMED_REASONS = 3;

interface InsertSection {
  slug: string;
  after?: string;
  before?: 'header';
  from?: { slug: string; section: string };
  html?: string;
  everywhere?: boolean;
}

const insertSection: Tool = {
  name: 'insert_section',
  description: `Inserts a copy of a section of any page (\`from\`, preferred), or \`html\` with the site's classes: every element with its end tag, addresses of the site, https, mailto or tel; no style, script, form or frame. It comes behind a section; what has no heading comes right behind a heading or text. A banner comes \`before\` the header or \`after\` "footer", on every page with \`everywhere\`.`,
  schema: Joi.object({
    slug,
    after: id.optional(),
    before: Joi.valid('header'),
    from: Joi.object({ slug, section: id }),
    html: Joi.string().max(LONGEST_MARKUP),
    everywhere: Joi.boolean(),
  })
    .xor('from', 'html')
    .xor('after', 'before'),
  run: async (context: ToolContext, { slug, after, everywhere, ...given }: InsertSection) => {
    const page = pageAt(context.site, slug);
    const edge = given.before ?? (after === 'footer' ? after : undefined);
    if (everywhere && edge === undefined)
      throw invalidInput('everywhere goes with before: header or after: footer');
    const first = (await context.site.pageSource(page)).ids?.next ?? 1;
    const before = new Set((await context.site.read(page)).slots.map(({ id }) => id));
    await insert(context, page, edge ?? { after: after! }, given);
    const reach = edge && everywhere ? await insertOnOthers(context, page, edge) : '';
    const { slots } = await context.site.read(page);
    const texts = slots.map(({ id }) => id).filter((id) => !before.has(id));
    const view = { texts: texts.slice(0, NAMED) };
    const outline = texts.length === 0 ? 'no texts' : await context.site.outline(page, view);
    const stands = await context.site.ask(page, 'surroundings', first);
    const sections = edge ? [] : [await sectionList(context, page)];
    return [`Inserted ${stands}${reach}; its texts:`, outline, ...sections].join('\n');
  },
};

type Insertion = Extract<SectionChange, { kind: 'insert-section' }>;

async function insert(
  { site }: ToolContext,
  page: PageFile,
  at: Insertion['at'],
  { from, html }: Pick<InsertSection, 'from' | 'html'>,
) {
  const wanted = html === undefined ? [] : await site.ask(page, 'classesOf', html);
  const origin = from && {
    page: await site.pageSource(pageAt(site, from.slug)),
    section: from.section,
  };
  await site.rebuild(page, {
    kind: 'insert-section',
    at,
    site: { sitePaths: regularPaths(site), classes: await site.knownClasses(wanted) },
    ...defined({ from: origin, html }),
  });
}

const regularPaths = (site: ToolContext['site']) =>
  site.paths().filter((path) => site.isRegular(path));

/** Copies a page's new banner to all other pages. @returns where it stands, in words */
async function insertOnOthers(context: ToolContext, page: PageFile, edge: 'header' | 'footer') {
  const { site } = context;
  const from = { page: await site.pageSource(page), section: { at: edge } };
  const known = { sitePaths: regularPaths(site), classes: [] };
  const reach: Reach = { pages: [page], without: [] };
  const reasons = new Set<string>();
  for (const other of site.files()) {
    if (other.path === page.path) continue;
    try {
      await site.rebuild(other, { kind: 'insert-section', at: edge, site: known, from });
      reach.pages.push(other);
    } catch (error) {
      reach.without.push(other);
      reasons.add(finalError(error).message);
    }
  }
  const why = inLine([...reasons].slice(0, NAMED_REASONS).join('; '));
  return reached(reach) + (why === '' ? '' : ` (${why})`);
}

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
    'Takes out a section, a table, or by the id of a text in it a banner or a section without a heading; else that text or picture.',
  schema: Joi.object({
    slug,
    section: id,
    everywhere,
  }),
  run: async (
    context: ToolContext,
    { slug, section, everywhere }: { slug: string; section: string; everywhere?: boolean },
  ) => {
    const page = pageAt(context.site, slug);
    const others = everywhere ? await sisterPlaces(context, page, [section]) : undefined;
    const left = await removed(context, page, section);
    if (!others) return left;
    const reach: Reach = { pages: [page], without: others.without };
    for (const { page: other, ids } of others.found)
      try {
        await removeByRules(context, { slug: other.slug, id: ids[0]! });
        reach.pages.push(other);
      } catch (error) {
        finalError(error);
        reach.without.push(other);
      }
    return `Removed${reached(reach)}\n${left}`;
  },
};

/** Removes a part of a page. @returns what went, if that is not known, and the sections left */
async function removed(context: ToolContext, page: PageFile, id: string): Promise<string> {
  const { site } = context;
  const isSection = (await site.ask(page, 'sections')).some((section) => section.id === id);
  const before = await textsOf(context, page);
  await removeByRules(context, { slug: page.slug, id });
  const left = new Set((await site.read(page)).slots.map((slot) => slot.id));
  const gone = before.filter((slot) => !left.has(slot.id)).map(({ text }) => quoted(text));
  const what = gone.length === 0 ? 'what shows no text' : listed(gone);
  const list = await sectionList(context, page);
  return isSection ? list : `Removed ${what}\n${list}`;
}

const moveSection: Tool = {
  name: 'move_section',
  description: 'Puts a section before or behind another one.',
  schema: Joi.object({
    slug,
    section: id,
    before: id.optional(),
    after: id.optional(),
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

export const sectionTools: Tool[] = [tellingHosts(insertSection), removeSection, moveSection];
