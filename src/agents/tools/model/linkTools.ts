import { Joi } from '../../../joi.ts';
import { inLine } from '../../../text/text.ts';
import type { PageFile } from '../../../contract/site.ts';
import { limits } from '../../../contract/task.ts';
import { hasCode, invalidInput, notFound, nullIfFinal } from '../../../errors.ts';
import type { Slot } from '../../../sites/formats/page.ts';
import type { SiteTarget } from '../../../sites/formats/changes.ts';
import { slug, words } from '../arguments.ts';
import { linkTarget } from '../linkTarget.ts';
import { hasHiddenReaders } from '../../../sites/pages/urls.ts';
import { leadTo } from '../linking.ts';
import { removePart } from '../removePart.ts';
import type { Tool, ToolContext } from '../tool.ts';
import { closestSlugs, pageFor, withNear } from './findOrSuggest.ts';
import { fromRoot } from './fileTools.ts';
import { tellingHosts } from './newHosts.ts';
import { everywhere, reached, sisterPlaces, type Reach } from './sisterPlaces.ts';
import { id } from './outlineTools.ts';

interface SetLink {
  slug: string;
  id: string;
  target: string;
  words?: string;
  everywhere?: boolean;
}

export const target = Joi.string().max(limits.urlLength);

const setLink: Tool = {
  name: 'set_link',
  description:
    'Sets where a link leads: an address of the site, "#faq", or an https, http, mailto, tel or sms address. `id`: the link, or a text in or around it. With `words` these words of the text become a link. An empty target takes a link away; its words stay.',
  schema: Joi.object({
    slug,
    id: id,
    target: target.allow('').required(),
    words: words.optional(),
    everywhere,
  }),
  run: async (context: ToolContext, args: SetLink) => {
    const page = await pageFor(context, args.slug);
    const link =
      args.words === undefined
        ? await withNear(context, page, args.id, context.site.ask(page, 'linkId', args.id))
        : args.id;
    const { found, without } = args.everywhere
      ? await sisterPlaces(context, page, [link])
      : { found: [], without: [] };
    const { leads, isChanged, texts } = await changeOn(context, page, { ...args, id: link });
    const says = texts === '' ? leads : `${leads}\n${texts}`;
    if (!args.everywhere) return isChanged ? says : `It leads to ${args.target} already`;
    const reach: Reach = { pages: [page], without };
    for (const { page: other, ids } of found)
      // an error if the page lacks the place, or can't have the link
      if (await changeOn(context, other, { ...args, id: ids[0]! }).catch(nullIfFinal))
        reach.pages.push(other);
      else reach.without.push(other);
    return [leads + reached(reach), ...(texts === '' ? [] : [texts])].join('\n');
  },
};

/** Changes, makes or takes away a link on a page. `texts`: the lines of the texts that changed. */
async function changeOn(context: ToolContext, page: PageFile, { id, words, target }: SetLink) {
  const leads = target === '' ? 'Took the link away' : `Leads to ${target}`;
  if (words !== undefined && target === '')
    throw invalidInput('a new link needs a target; to take a link away, give its id without words');
  const to = target === '' ? undefined : await targetFor(context, page, target);
  if (words === undefined && to !== undefined) {
    const { isChanged } = await leadTo(context, page, id, to);
    return { leads, isChanged, texts: '' };
  }
  const { site } = context;
  const before = new Map((await site.read(page)).slots.map(({ id, text }) => [id, text]));
  if (to === undefined) await removePart(context, page, { kind: 'remove-link', id }, 'the link');
  else {
    const change = { kind: 'add-link', id, words: words!, target: to } as const;
    await withNear(context, page, id, site.rebuild(page, change));
  }
  const isShown = (slot: Slot) =>
    before.get(slot.id) !== slot.text || slot.id === id || `${slot.id}.href` === id;
  const texts = (await site.read(page)).slots.filter(isShown).map(({ id }) => id);
  return { leads, isChanged: true, texts: await site.outline(page, { texts }) };
}

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
    'Makes an image show another picture of the site. `alt` says what it shows; empty for decoration.',
  schema: Joi.object({
    slug,
    id: id,
    file: Joi.string().max(limits.pathBytes).required(),
    alt: words.allow(''),
  }),
  run: async (
    context: ToolContext,
    args: { slug: string; id: string; file: string; alt: string },
  ) => {
    const page = await pageFor(context, args.slug);
    const change = { id: args.id, target: await fileOf(context, args.file), alt: args.alt };
    const work = context.site.edit(page, 'setImage', change);
    await withNear(context, page, args.id, work);
    return inLine(`Shows /${change.target.path}`);
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

export const linkTools: Tool[] = [tellingHosts(setLink), setImage];
