import Joi from 'joi';
import type { PageFile } from '../../contract/site.ts';
import { limits, type Note, noteOn } from '../../contract/task.ts';
import type { PageImage, PageLink } from '../../sites/html/links/pageLinks.ts';
import { quoted } from '../../sites/html/text.ts';
import { parseReference } from '../../sites/pages/urls.ts';
import type { SiteEdits } from '../siteEdits.ts';
import type { AsAsked, Warnings } from '../warnings.ts';
import { noteEdit } from './asAsked.ts';
import { linkTarget } from './linkTarget.ts';
import type { Tool, ToolContext } from './tool.ts';
import { linksTo, pageAt, slug, words } from './arguments.ts';

/** What `list_links` answers, as JSON: only pages with links. */
export type LinkListing = { slug: string; links: PageLink[] }[];
/** What `list_images` answers, as JSON. */
export type ImageListing = PageImage[];

const listLinks: Tool = {
  name: 'list_links',
  description:
    'Lists the links of a page, or the links with a text on every page: id, text, href, and the page of this site that they lead to. Links that look like buttons have the role "button".',
  schema: Joi.object({
    slug: slug.optional(),
    text: words.optional().description('The whole text of the link, in any case.'),
  }).or('slug', 'text'),
  run: async ({ site, texts }: ToolContext, { slug, text }: { slug?: string; text?: string }) => {
    const files = slug === undefined ? site.files() : [pageAt(site, slug)];
    const listing: LinkListing = [];
    for (const page of files) {
      if (text !== undefined && !(await site.ask(page, (_, source) => texts.mayContain(source, text)))) continue;
      const links = await site.ask(page, (pages, source) => pages.links(source));
      const fitting = text === undefined ? links : await texts.linksNamed(links, text);
      if (fitting.length > 0) listing.push({ slug: page.slug, links: fitting });
    }
    return JSON.stringify(listing);
  },
};

const listImages: Tool = {
  name: 'list_images',
  description: 'Lists the images of a page: id, file name, and the text that stands for it (alt).',
  schema: Joi.object({ slug }),
  run: async ({ site }: ToolContext, args: { slug: string }) =>
    JSON.stringify(await site.ask(pageAt(site, args.slug), (pages, source) => pages.images(source))),
};

const setLink: Tool = {
  name: 'set_link',
  description:
    'Changes where a link leads: to a page or file of this site, a place on a page ("/pricing#faq"), or an https, http, mailto, tel or sms address.',
  schema: Joi.object({
    slug,
    id: Joi.string().required().description("The link's id, as list_links names it."),
    target: Joi.string().max(limits.urlLength).required().description('E.g. "/plans" or "https://example.com/book".'),
  }),
  run: async (context: ToolContext, args: { slug: string; id: string; target: string }) => {
    const { site, warnings } = context;
    const page = pageAt(site, args.slug);
    const target = await linkTarget(site, page, args.target);
    const before = await site.ask(page, (pages, source) => pages.links(source));
    const changed = await site.edit(page, (pages, source) => pages.setLink(source, args.id, target));
    for (const link of before.filter(({ id }) => id === args.id)) {
      warnings.drop(copiedReference(page, whereTo(link)));
      await noteEdit(context, namedLink(page, link), { changed, wasSo: () => ledThere(site, page, link) });
    }
    await recountLinks(site, warnings, page);
    return 'Done';
  },
};

const namedLink = ({ slug }: PageFile, link: PageLink): AsAsked => ({
  slug,
  what: `the target of the ${link.role} ${quoted(link.text)}`,
  text: addressOf(link),
});

/** Whether a page had a link like this one before the task. */
async function ledThere(site: SiteEdits, page: PageFile, link: PageLink): Promise<boolean> {
  const before = await site.askBefore(page, (pages, source) => pages.links(source));
  return before?.some((other) => other.text === link.text && addressOf(other) === addressOf(link)) ?? false;
}

/** What an address names, for people: without its query, which may hold a secret. */
export function addressOf({ href, slug }: PageLink): string {
  const { scheme, authority, path, fragment } = parseReference(href);
  return slug === undefined ? scheme + authority + path + fragment : slug + fragment;
}

/** Where a link leads, in words: without its query, which may hold a secret. */
export const whereTo = ({ href, slug }: PageLink) =>
  slug === undefined ? `leads to "${href.split('?')[0]}"` : `leads to ${slug}`;

/** The note on a link or image that a new item of a group has of another one. */
export const copiedReference = ({ slug }: PageFile, reference: string): Note =>
  noteOn(slug, 'copied', `the new item ${reference}, as the one that it was made from`);

/** Counts a page's links to deleted pages again after its links changed. */
export async function recountLinks(site: SiteEdits, warnings: Warnings, page: PageFile) {
  for (const gone of warnings.deleted())
    warnings.brokenLinks(gone, page.slug, (await linksTo(site, page, gone)).length);
}

const setAlt: Tool = {
  name: 'set_alt',
  description: 'Writes the text that stands for an image (alt).',
  schema: Joi.object({
    slug,
    id: Joi.string().required().description("The image's id, as list_images names it."),
    text: words.description('What the image shows.'),
  }),
  run: async (context: ToolContext, args: { slug: string; id: string; text: string }) => {
    const { site } = context;
    const page = pageAt(site, args.slug);
    const before = await site.ask(page, (pages, source) => pages.images(source));
    const changed = await site.edit(page, (pages, source) => pages.setAlt(source, args.id, args.text));
    for (const image of before.filter(({ id }) => id === args.id))
      await noteEdit(context, namedImage(page, image), { changed, wasSo: () => showed(site, page, image) });
    return 'Done';
  },
};

const namedImage = ({ slug }: PageFile, { file, alt }: PageImage): AsAsked => ({
  slug,
  what: `the text of ${file === '' ? 'an image' : `the image ${quoted(file)}`}`,
  text: alt,
});

/** Whether a page had an image like this one before the task. */
async function showed(site: SiteEdits, page: PageFile, { file, alt }: PageImage): Promise<boolean> {
  const before = await site.askBefore(page, (pages, source) => pages.images(source));
  return before?.some((image) => image.file === file && image.alt === alt) ?? false;
}

export const linkTools: Tool[] = [listLinks, setLink, listImages, setAlt];
