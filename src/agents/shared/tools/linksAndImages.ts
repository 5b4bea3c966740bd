import type { PageFile } from '../../../contract/site.ts';
import { limits, type Note, createPageNote } from '../../../contract/task.ts';
import { invalidInputError } from '../../../errors.ts';
import type { SiteTarget } from '../../../sites/formats/changes.ts';
import type { PageImage, PageLink } from '../../../sites/formats/pageParts.ts';
import { quoteText } from '../../../text/text.ts';
import { parseReference } from '../../../sites/pages/urls/urls.ts';
import { resolveSiteLinkTarget } from './resolveSiteLinkTarget.ts';
import type { ToolContext } from './toolContext.ts';
import { requirePage } from './toolArguments.ts';

/** The pages that have links, with these links. */
export type LinkListing = { slug: string; links: PageLink[] }[];
export type ImageListing = PageImage[];

/** Lists links of one page or all. With `text`, only those with this whole text, in any case. */
export async function listLinks(
  { site, texts }: ToolContext,
  { slug, text }: { slug?: string; text?: string },
): Promise<LinkListing> {
  const files = slug === undefined ? site.files() : [requirePage(site, slug)];
  const listing: LinkListing = [];
  for (const page of files) {
    if (text !== undefined && !(await texts.mayContain(await site.pageSource(page), text)))
      continue;
    const links = await site.query(page, 'links');
    const matchingLinks = text === undefined ? links : await texts.linksNamed(links, text);
    if (matchingLinks.length > 0) listing.push({ slug: page.slug, links: matchingLinks });
  }
  return listing;
}

interface SetLinkArguments {
  slug: string;
  id: string;
  /**
   * A page or file of this site, a place on a page, or an https, http, mailto, tel or sms address.
   */
  target: string;
}

export const linkTargetName = ({ role, text }: Pick<PageLink, 'role' | 'text'>) =>
  `the target of the ${role} ${quoteText(text)}`;

export const imageTextName = (file: string) =>
  `the text of ${file === '' ? 'an image' : `the image ${quoteText(file)}`}`;

/** Changes a link's target. Adds a note if the link had this target before. */
export async function setLink(
  context: ToolContext,
  linkArguments: SetLinkArguments,
): Promise<void> {
  const { site } = context;
  const page = requirePage(site, linkArguments.slug);
  if (linkArguments.target.length > limits.urlLength)
    throw invalidInputError(`a URL has at most ${limits.urlLength} characters`);
  const target = await resolveSiteLinkTarget(site, page, linkArguments.target);
  const { before: linksBefore, isChanged } = await changeLinkTarget(
    context,
    page,
    linkArguments.id,
    target,
  );
  for (const link of isChanged ? [] : linksBefore)
    context.warnings.unchanged({
      slug: page.slug,
      textName: linkTargetName(link),
      text: describeLinkUrl(link),
    });
}

/** Changes a link's target. Returns the link as it was, in a list, and whether it changed. */
export async function changeLinkTarget(
  { site }: ToolContext,
  page: PageFile,
  id: string,
  target: string | SiteTarget,
) {
  const linksBefore = (await site.query(page, 'links')).filter((link) => link.id === id);
  const isChanged = await site.edit(page, 'setLink', id, target);
  return { before: linksBefore, isChanged };
}

/** A link's URL for messages, without its query, which may contain a secret. */
export function describeLinkUrl({ href, slug }: PageLink): string {
  const { scheme, authority, path, fragment } = parseReference(href);
  return slug === undefined ? scheme + authority + path + fragment : slug + fragment;
}

/** A link's target in words, without its query, which may contain a secret. */
export const describeLinkTarget = ({ href, slug }: Pick<PageLink, 'href' | 'slug'>) =>
  slug === undefined ? `leads to "${href.split('?')[0]}"` : `leads to ${slug}`;

/** The note that a new item has the same link or image as the item that it was copied from. */
export const createCopiedReferenceNote = ({ slug }: PageFile, reference: string): Note =>
  createPageNote(slug, 'part', copiedReferenceSentence(reference));

/** @param reference what the item leads to or shows, such as `leads to /about` */
export const copiedReferenceSentence = (reference: string) =>
  `the new item ${reference}, like the item that it was copied from`;

/** Writes an image's alternative text (alt). Adds a note if the image had this text before. */
export async function setAltText(
  context: ToolContext,
  altArguments: { slug: string; id: string; text: string },
): Promise<void> {
  const { site } = context;
  const page = requirePage(site, altArguments.slug);
  const imagesBefore = await site.query(page, 'images');
  const changed = await site.edit(page, 'setAlt', altArguments.id, altArguments.text);
  for (const image of changed ? [] : imagesBefore.filter(({ id }) => id === altArguments.id))
    context.warnings.unchanged({
      slug: page.slug,
      textName: imageTextName(image.file),
      text: image.alt,
    });
}
