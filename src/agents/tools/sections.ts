import Joi from 'joi';
import { noteOn } from '../../contract/task.ts';
import type { Section } from '../../sites/html/changes/sections.ts';
import { anchorsOf, warnOfAnchors } from './anchors.ts';
import { pageAt, slug } from './arguments.ts';
import { stillInData, textsOf } from './dataTwins.ts';
import { recountLinks } from './linking.ts';
import type { Tool, ToolContext } from './tool.ts';

/** What `list_sections` answers, as JSON. */
export type SectionListing = Section[];

const id = Joi.string().required().description("The section's id, as list_sections names it.");

const listSections: Tool = {
  name: 'list_sections',
  description: "Lists the sections and tables of a page: id, kind, and their headings' words and levels.",
  schema: Joi.object({ slug }),
  run: async ({ site }: ToolContext, args: { slug: string }) =>
    JSON.stringify(await site.ask(pageAt(site, args.slug), (pages, source) => pages.sections(source))),
};

export const removeSection: Tool = {
  name: 'remove_section',
  description: 'Takes a section or a table out of a page. Links that led into it are named in the warnings.',
  schema: Joi.object({ slug, id }),
  run: async (context: ToolContext, args: { slug: string; id: string }) => {
    const { site, warnings } = context;
    const page = pageAt(site, args.slug);
    const before = await anchorsOf(site, page);
    const slots = await textsOf(context, page);
    await site.rebuild(page, { kind: 'remove-section', id: args.id });
    if (stillInData(slots, await textsOf(context, page)))
      warnings.add(noteOn(page.slug, 'structured-data', 'the structured data still names what was removed'));
    await warnOfAnchors(context, page, before);
    await recountLinks(site, warnings, page);
    return 'Done';
  },
};

const moveSection: Tool = {
  name: 'move_section',
  description: 'Puts a section of a page before or after another one, byte for byte.',
  schema: Joi.object({ slug, id, where: Joi.valid('before', 'after').required(), other: id }),
  run: async ({ site }: ToolContext, args: { slug: string; id: string; where: 'before' | 'after'; other: string }) => {
    const { slug, ...change } = args;
    await site.rebuild(pageAt(site, slug), { kind: 'move-section', ...change });
    return 'Done';
  },
};

export const sectionTools: Tool[] = [listSections, removeSection, moveSection];
