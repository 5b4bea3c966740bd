import Joi from 'joi';
import { DomainError } from '../../errors.ts';
import { checkSlug } from '../../sites/pages/slug.ts';
import type { Tool, ToolContext } from './tool.ts';
import type { TemplatePage } from '../agent.ts';
import { linksTo, notes, pageAt, slug, text } from './arguments.ts';
import type { Note } from '../../contract/task.ts';

const createPage: Tool = {
  name: 'create_page',
  description:
    'Makes a new page from an existing one, with its layout and texts. Write its texts with set_text afterwards.',
  schema: Joi.object({
    template: slug.description('The page to copy.'),
    slug: slug.description('The new page, e.g. "/locations/lisbon".'),
    texts: Joi.array()
      .items(Joi.object({ id: Joi.string().required(), text }))
      .description("New texts, by ids of the template's slots as read_template names them."),
    notes,
  }),
  run: async ({ site, warnings }: ToolContext, args: CreatePage) => {
    const template = pageAt(site, args.template);
    const target = await site.fileFor(newSlug(args.slug), template);
    const texts = Object.fromEntries((args.texts ?? []).map(({ id, text }) => [id, text]));
    await site.create(template, target, { texts });
    for (const note of args.notes ?? []) warnings.add(note);
    return `Created ${target.slug}`;
  },
};

interface CreatePage {
  template: string;
  slug: string;
  texts?: { id: string; text: string }[];
  notes?: Note[];
}

/** What `read_template` answers, as JSON. */
export type TemplateReading = TemplatePage;

const readTemplate: Tool = {
  name: 'read_template',
  description: 'Reads the texts and repeated blocks of a page that are its own, for a new page that is made from it.',
  schema: Joi.object({ slug }),
  run: async ({ site }: ToolContext, args: { slug: string }) => {
    const { slug, slots, groups, claims, blocks } = await site.template(pageAt(site, args.slug));
    const reading: TemplateReading = { slug, slots: slots.filter(({ locked }) => !locked), groups, claims, blocks };
    return JSON.stringify(reading);
  },
};

export function newSlug(slug: string): string {
  const checked = checkSlug(slug);
  if ('problem' in checked) throw new DomainError('INVALID_INPUT', `The new page's slug ${checked.problem}`);
  return checked.slug;
}

export const movePage: Tool = {
  name: 'move_page',
  description:
    'Moves a page to another slug. Links to it on every page, its own address and its relative links follow; its old address is gone.',
  schema: Joi.object({
    slug: slug.description('The page to move.'),
    to: slug.description('Its new slug, e.g. "/company".'),
  }),
  run: async ({ site, warnings }: ToolContext, args: { slug: string; to: string }) => {
    const page = pageAt(site, args.slug);
    if (page.slug === '/') throw new DomainError('INVALID_INPUT', 'The home page "/" can\'t be moved');
    if (site.files().some(({ slug, path }) => slug === page.slug && path !== page.path))
      throw new DomainError('INVALID_INPUT', `${page.slug} can't be moved: the site has two files for it`);
    const target = await site.fileFor(newSlug(args.to), page, page);
    if (target.path === page.path) throw new DomainError('PAGE_EXISTS', `Page already exists: ${target.slug}`);
    await site.move(page, target);
    warnings.moved(page.slug, target.slug);
    return `Moved ${page.slug} to ${target.slug}`;
  },
};

export const deletePage: Tool = {
  name: 'delete_page',
  description:
    'Deletes a page. The answer names the pages whose links to it break. With `links`, they become text, and entries of the navigation go.',
  schema: Joi.object({ slug, links: Joi.valid('remove') }),
  run: async ({ site, warnings }: ToolContext, args: { slug: string; links?: 'remove' }) => {
    const page = pageAt(site, args.slug);
    await site.remove(page);
    if (args.links)
      for (const other of site.files()) await site.rebuild(other, { kind: 'drop-links', slug: page.slug });
    const linking: string[] = [];
    for (const other of site.files()) {
      const links = await linksTo(site, other, page.slug);
      if (links.length > 0) warnings.brokenLinks(page.slug, other.slug, links.length);
      if (links.length > 0) linking.push(other.slug);
    }
    return `Deleted ${page.slug}${linking.length > 0 ? `; it is still linked from ${linking.join(', ')}` : ''}`;
  },
};

const finish: Tool = {
  name: 'finish',
  description: 'Ends the task. Give `error` only where what was asked for cannot be done: then nothing is changed.',
  schema: Joi.object({
    summary: Joi.string().allow('').max(2_000).required().description('What was done, in a sentence.'),
    error: Joi.string().max(2_000).description('Why it cannot be done.'),
  }),
  run: () => Promise.resolve('Finished'),
};

export const structureTools: Tool[] = [readTemplate, createPage, movePage, deletePage, finish];
