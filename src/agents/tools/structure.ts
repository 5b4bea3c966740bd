import Joi from 'joi';
import { DomainError } from '../../errors.ts';
import { checkSlug } from '../../sites/slug.ts';
import type { Tool, ToolContext } from './tool.ts';
import { pageAt, slug } from './arguments.ts';

const createPage: Tool = {
  name: 'create_page',
  description:
    'Makes a new page from an existing one, with its layout and texts. Write its texts with set_text afterwards.',
  schema: Joi.object({
    template: slug.description('The page to copy.'),
    slug: slug.description('The new page, e.g. "/locations/lisbon".'),
  }),
  run: async ({ site }: ToolContext, args: { template: string; slug: string }) => {
    const template = pageAt(site, args.template);
    const checked = checkSlug(args.slug);
    if ('problem' in checked) throw new DomainError('INVALID_INPUT', `The new page's slug ${checked.problem}`);
    const target = site.placeFor(checked.slug, template);
    const taken = site.paths().find((path) => clashes(path.toLowerCase(), target.path.toLowerCase()));
    if (taken !== undefined || site.find(target.slug))
      throw new DomainError('PAGE_EXISTS', `Page already exists: ${target.slug}`);
    await site.create(template, target);
    return `Created ${target.slug}`;
  },
};

/** The same file, or one that would be the other's folder. */
const clashes = (a: string, b: string) => a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);

const deletePage: Tool = {
  name: 'delete_page',
  description: 'Deletes a page. The answer names the pages whose links to it break.',
  schema: Joi.object({ slug }),
  run: async ({ site, warnings }: ToolContext, args: { slug: string }) => {
    const page = pageAt(site, args.slug);
    await site.remove(page);
    const linking: string[] = [];
    for (const other of site.files()) {
      const links = await site.linksTo(other, page.slug);
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

export const structureTools: Tool[] = [createPage, deletePage, finish];
