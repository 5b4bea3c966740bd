import type { PageFile } from '../../contract/site.ts';
import { limits, type Note, noteOn } from '../../contract/task.ts';
import { invalidInput } from '../../errors.ts';
import type { SiteTarget } from '../../sites/formats/changes.ts';
import type { PageImage, PageLink } from '../../sites/formats/page.ts';
import { quoted } from '../../text/text.ts';
import { parseReference } from '../../sites/pages/urls.ts';
import { linkTarget } from './linkTarget.ts';
import type { ToolContext } from './tool.ts';
import { pageAt } from './arguments.ts';

/** Pages with links. */
export type LinkListing = { slug: string; links: PageLink[] }[];
export type ImageListing = PageImage[];

/**
 * The links of a page, or of every page. With `text`, only links with this whole text, in any case.
 */
export async function listLinks(
  { site, texts }: ToolContext,
  { slug, text }: { slug?: string; text?: string },
): Promise<LinkListing> {
  const files = slug === undefined ? site.files() : [pageAt(site, slug)];
  const listing: LinkListing = [];
  for (const page of files) {
    if (text !== undefined && !(await texts.mayContain(await site.pageSource(page), text)))
      continue;
    const links = await site.query(page, 'links');
    const fitting = text === undefined ? links : await texts.linksNamed(links, text);
    if (fitting.length > 0) listing.push({ slug: page.slug, links: fitting });
  }
  return listing;
}

interface SetLink {
  slug: string;
  id: string;
  /**
   * A page or file of this site, a place on a page, or an https, http, mailto, tel or sms address.
   */
  target: string;
}

/** Changes a link's target. */
export async function setLink(context: ToolContext, args: SetLink): Promise<void> {
  const { site } = context;
  const page = pageAt(site, args.slug);
  if (args.target.length > limits.urlLength)
    throw invalidInput(`an address has at most ${limits.urlLength} characters`);
  const target = await linkTarget(site, page, args.target);
  const { before, isChanged } = await leadTo(context, page, args.id, target);
  for (const link of isChanged ? [] : before)
    context.warnings.unchanged({
      slug: page.slug,
      what: `the target of the ${link.role} ${quoted(link.text)}`,
      text: addressOf(link),
    });
}

/** Changes a link's target. @returns the link before, and whether its target changed */
export async function leadTo(
  { site }: ToolContext,
  page: PageFile,
  id: string,
  to: string | SiteTarget,
) {
  const before = (await site.query(page, 'links')).filter((link) => link.id === id);
  const isChanged = await site.edit(page, 'setLink', id, to);
  return { before, isChanged };
}

/** A link's address for messages, without its query, which may contain a secret. */
export function addressOf({ href, slug }: PageLink): string {
  const { scheme, authority, path, fragment } = parseReference(href);
  return slug === undefined ? scheme + authority + path + fragment : slug + fragment;
}

/** A link's target in words, without its query, which may contain a secret. */
export const whereTo = ({ href, slug }: PageLink) =>
  slug === undefined ? `leads to "${href.split('?')[0]}"` : `leads to ${slug}`;

/** The note that a new item has the same link or image as the item that it was copied from. */
export const copiedReference = ({ slug }: PageFile, reference: string): Note =>
  noteOn(slug, 'part', `the new item ${reference}, as the one that it was made from`);

/** Writes an image's alternative text (alt). */
export async function setAlt(
  context: ToolContext,
  args: { slug: string; id: string; text: string },
): Promise<void> {
  const { site } = context;
  const page = pageAt(site, args.slug);
  const before = await site.query(page, 'images');
  const changed = await site.edit(page, 'setAlt', args.id, args.text);
  for (const image of changed ? [] : before.filter(({ id }) => id === args.id))
    context.warnings.unchanged({
      slug: page.slug,
      what: `the text of ${image.file === '' ? 'an image' : `the image ${quoted(image.file)}`}`,
      text: image.alt,
    });
}
