import Joi from 'joi';
import type { PageFile } from '../../../contract/site.ts';
import { limits } from '../../../contract/task.ts';
import { hasCode, invalidInput, notFound, onCode } from '../../../errors.ts';
import type { SiteTarget } from '../../../sites/formats/changes.ts';
import { slug, words } from '../arguments.ts';
import { linkTarget } from '../linkTarget.ts';
import { hasHiddenReaders } from '../../../sites/pages/urls.ts';
import { leadTo } from '../linking.ts';
import type { Tool, ToolContext } from '../tool.ts';
import { closestSlugs, pageFor, withNear } from './findOrSuggest.ts';
import { fromRoot } from './fileTools.ts';
import { everywhere, reached, sisterPlaces } from './sisterPlaces.ts';
import { id } from './outlineTools.ts';

interface SetLink {
  slug: string;
  id: string;
  target: string;
  everywhere?: boolean;
}

export const target = Joi.string().max(limits.urlLength);

const setLink: Tool = {
  name: 'set_link',
  description:
    'Changes where a link leads: to a page or file of this site from its root ("/pricing", "/files/menu.pdf"), a place on a page ("/pricing#faq", "#faq"), or an https, http, mailto, tel or sms address. Each page gets the address in its own style.',
  schema: Joi.object({
    slug,
    id: id.description('The id of the link, of a text in it, or of the text that it stands in.'),
    target: target.required().description('E.g. "/plans" or "https://example.com/book".'),
    everywhere,
  }),
  run: async (context: ToolContext, { slug, id, target, everywhere }: SetLink) => {
    const page = await pageFor(context, slug);
    const link = await withNear(context, page, id, context.site.ask(page, 'linkId', id));
    const leads = `Leads to ${target}`;
    const to = await targetFor(context, page, target);
    if (!everywhere) {
      const { isChanged } = await leadTo(context, page, link, to);
      return isChanged ? leads : `It leads to ${target} already`;
    }
    const { found, without } = await sisterPlaces(context, page, [link]);
    await leadTo(context, page, link, to);
    const pages = [page];
    for (const { page: other, ids } of found) {
      // null if the page lacks the place
      const there = await linkTarget(context.site, other, target).catch(
        onCode(['NOT_FOUND'], null),
      );
      if (there === null) without.push(other);
      else {
        await leadTo(context, other, ids[0]!, there);
        pages.push(other);
      }
    }
    return leads + reached({ pages, without });
  },
};

/**
 * Resolves a link's target. Throws INVALID_INPUT, and NOT_FOUND that lists the most similar pages.
 */
export async function targetFor(
  context: ToolContext,
  page: PageFile,
  target: string,
): Promise<string | SiteTarget> {
  if (hasHiddenReaders(target))
    throw invalidInput('A link to mail has a subject and a body only: nobody else gets the mail');
  try {
    return await linkTarget(context.site, page, target);
  } catch (error) {
    if (!hasCode(error, 'NOT_FOUND') || target.includes('#')) throw error;
    throw notFound(`${error.message}; ${await closestSlugs(context, target)}`);
  }
}

const setImage: Tool = {
  name: 'set_image',
  description:
    'Makes an image show another picture of this site, with the text that stands for it (alt).',
  schema: Joi.object({
    slug,
    id: id.description("The image's id, as read_page names it."),
    file: Joi.string()
      .max(limits.pathBytes)
      .required()
      .description('The file from the root of the site, e.g. "/assets/team.jpg".'),
    alt: words.allow('').description('What the picture shows; empty for mere decoration.'),
  }),
  run: async (
    context: ToolContext,
    args: { slug: string; id: string; file: string; alt: string },
  ) => {
    const page = await pageFor(context, args.slug);
    const change = { id: args.id, target: await fileOf(context, args.file), alt: args.alt };
    const work = context.site.edit(page, 'setImage', change);
    await withNear(context, page, args.id, work);
    return `Shows /${change.target.path}`;
  },
};

/** A file of the site. Throws NOT_FOUND that lists the most similar files. */
async function fileOf({ site, texts }: ToolContext, file: string): Promise<SiteTarget> {
  const path = fromRoot(file);
  const paths = site.paths();
  if (paths.includes(path)) return { path, slug: null, query: '', fragment: '' };
  const closest = await texts.closest(paths.filter(isPicture).slice(0, 5_000), path);
  const there =
    closest.length > 0
      ? `the closest pictures are ${closest.map((one) => `/${one}`).join(', ')}`
      : 'it has no such picture';
  throw notFound(`the site has no file "${path.slice(0, 100)}"; ${there}`);
}

const endings = ['.avif', '.gif', '.ico', '.jpeg', '.jpg', '.png', '.svg', '.webp'];
const isPicture = (path: string) => endings.some((ending) => path.toLowerCase().endsWith(ending));

export const linkTools: Tool[] = [setLink, setImage];
