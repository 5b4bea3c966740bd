import type { PageLink, PageImage, EditableUrl } from '../../pageParts.ts';
import type MagicString from 'magic-string';
import { withoutUndefined } from '../../../../contract/withoutUndefined.ts';
import { createUrlResolver, type UrlResolver } from './urlResolver.ts';
import type { SiteTarget } from '../../changes.ts';
import { checkImage, unknownLinkError } from '../../partErrors.ts';
import { writeAttribute } from '../writeAttributes.ts';
import {
  attributeOf,
  childrenOf,
  parentOf,
  textContentOf,
  type PageElement,
  type HtmlDocument,
} from '../document.ts';
import { findElement, elementSlotId, type HtmlPage } from '../openHtmlPage.ts';
import { roleOf } from '../roles.ts';
import { validHtmlLine } from '../../escape.ts';
import { decodeUrlPart, parseReference } from '../../../pages/urls/urls.ts';

export const isLinkElement = (element: PageElement) =>
  (element.tagName === 'a' || element.tagName === 'area') &&
  attributeOf(element, 'href') !== undefined;
export const isImageElement = (element: PageElement) =>
  element.tagName === 'img' ||
  (element.tagName === 'input' && attributeOf(element, 'type')?.toLowerCase() === 'image');

/** Links of a page in document order, including those that look like buttons. */
export function listPageLinks(page: HtmlPage): PageLink[] {
  const { slugOfLink } = createUrlResolver(page);
  return page.elements.filter(isLinkElement).map((link) => ({
    id: `${elementSlotId(page, link)}.href`,
    role: roleOf(link) === 'button' ? 'button' : 'link',
    text: linkName(link),
    href: attributeOf(link, 'href') ?? '',
    ...withoutUndefined({ slug: slugOfLink(link) }),
  }));
}

/** The URLs that people can change, in document order: of links, and of the site's images. */
export function listEditableUrls(page: HtmlPage): EditableUrl[] {
  const urlResolver = createUrlResolver(page);
  return page.elements.flatMap((element): EditableUrl[] => {
    const id = elementSlotId(page, element);
    if (isLinkElement(element)) {
      const value = urlFromRoot(urlResolver, attributeOf(element, 'href') ?? '');
      return [{ id: `${id}.href`, kind: 'link', name: linkName(element), value }];
    }
    const path = isImageElement(element)
      ? urlResolver.pathOf(attributeOf(element, 'src') ?? '')
      : undefined;
    if (path === undefined) return [];
    const name = validHtmlLine(attributeOf(element, 'alt') ?? '');
    return [{ id: `${id}.src`, kind: 'image', name, value: decodeUrlPart(path) }];
  });
}

/**
 * A URL as a path from the site's root. A link to the page itself (`#team`) and URLs outside of the
 * site stay as they are.
 */
function urlFromRoot(urlResolver: UrlResolver, href: string): string {
  const { path, query, fragment } = parseReference(href);
  if (path === '') return href;
  const slug = urlResolver.slugOf(href);
  if (slug !== undefined) return slug + query + fragment;
  const sitePath = urlResolver.pathOf(href);
  return sitePath === undefined ? href : decodeUrlPart(sitePath) + query + fragment;
}

/** The links of a page that lead to `slug`. */
export function linksTo(page: HtmlPage, slug: string): PageElement[] {
  const { slugOfLink } = createUrlResolver(page);
  return page.elements.filter((element) => isLinkElement(element) && slugOfLink(element) === slug);
}

/**
 * The name of a link: its text, else its `aria-label`, else the label or alternative text of an
 * image in it.
 */
export function linkName(link: PageElement): string {
  const labels = [link, ...imagesIn(link)].flatMap((element) => [
    attributeOf(element, 'aria-label'),
    attributeOf(element, 'alt'),
  ]);
  return (
    [textContentOf(link), ...labels].map((name) => validHtmlLine(name ?? '')).find(Boolean) ?? ''
  );
}

const imagesIn = (element: PageElement): PageElement[] =>
  childrenOf(element).flatMap((child) => (isImageElement(child) ? [child] : imagesIn(child)));

/** Images of a page in document order. */
export function listPageImages(page: HtmlPage): PageImage[] {
  const { fileOf } = createUrlResolver(page);
  return page.elements.filter(isImageElement).map((image) => {
    const src = attributeOf(image, 'src') ?? '';
    const { scheme, path } = parseReference(src);
    return {
      id: `${elementSlotId(page, image)}.alt`,
      file: scheme === 'data:' ? '' : decodeUrlPart(path.split('/').at(-1)),
      path: fileOf(src),
      alt: validHtmlLine(attributeOf(image, 'alt') ?? ''),
    };
  });
}

/** Ids and anchor names that a URL fragment can name. */
export const listPageAnchors = (page: HtmlDocument): string[] =>
  page.elements.flatMap((element) => {
    const name = element.tagName === 'a' ? attributeOf(element, 'name') : undefined;
    return [attributeOf(element, 'id'), name].filter((anchor) => anchor !== undefined);
  });

/**
 * Changes the target of a link. A URL is written as given. A page or file of the site is written in
 * the style of the link, else of the page's other links.
 * @throws INVALID_INPUT if `id` is not a link
 */
export function writeLink(
  sourceEditor: MagicString,
  page: HtmlPage,
  { id, target }: { id: string; target: string | SiteTarget },
) {
  const link = findChangeable(page, id, ['href', isLinkElement]);
  const href = typeof target === 'string' ? target : createHref(page, link, target);
  if (href !== attributeOf(link, 'href')) writeAttribute(sourceEditor, page, link, ['href', href]);
}

/** The URL of a target in the style of a link, else of the page's other links. */
export function createHref(
  page: HtmlPage,
  link: PageElement | undefined,
  target: SiteTarget,
): string {
  const urlResolver = createUrlResolver(page);
  const links = [...(link ? [link] : []), ...page.elements.filter(isLinkElement)];
  const hrefs = links.map((candidate) => attributeOf(candidate, 'href') ?? '');
  return urlResolver.urlTo(
    hrefs.find((href) => urlResolver.slugOf(href) !== undefined) ?? '/',
    target,
  );
}

/**
 * Changes the file that an image shows, in the style of its URL, and its alternative text. Its
 * other sizes (`srcset`) become the new file too.
 * @throws NOT_FOUND if `id` is not an image, INVALID_INPUT if the file is not a picture
 */
export function writeImage(
  sourceEditor: MagicString,
  page: HtmlPage,
  { id, target, alt }: { id: string; target: SiteTarget; alt: string },
) {
  const element = findElement(page, id);
  const image = checkImage(
    element && isImageElement(element) ? element : undefined,
    id,
    target.path,
  );
  const urlResolver = createUrlResolver(page);
  const images = [image, ...page.elements.filter(isImageElement)].map(
    (candidate) => attributeOf(candidate, 'src') ?? '',
  );
  const modelUrl = images.find((src) => urlResolver.pathOf(src) !== undefined) ?? '/';
  const src = urlResolver.urlTo(modelUrl, target);
  const oldSource = attributeOf(image, 'src');
  writeAltText(sourceEditor, page, image, alt);
  if (oldSource !== src) writeAttribute(sourceEditor, page, image, ['src', src]);
  for (const element of [image, ...pictureSources(image)])
    if (attributeOf(element, 'srcset') !== undefined)
      writeAttribute(sourceEditor, page, element, ['srcset', src]);
}

/** The `source` elements of the `picture` around an image. */
function pictureSources(image: PageElement): PageElement[] {
  const parent = parentOf(image);
  return parent?.tagName === 'picture'
    ? childrenOf(parent).filter(({ tagName }) => tagName === 'source')
    : [];
}

function writeAltText(
  sourceEditor: MagicString,
  page: HtmlDocument,
  image: PageElement,
  text: string,
) {
  const alt = validHtmlLine(text);
  if (alt !== attributeOf(image, 'alt')) writeAttribute(sourceEditor, page, image, ['alt', alt]);
}

/** Writes an image's alternative text. Throws INVALID_INPUT if `id` is not an image. */
export function writeAlt(sourceEditor: MagicString, page: HtmlDocument, id: string, text: string) {
  writeAltText(sourceEditor, page, findChangeable(page, id, ['alt', isImageElement]), text);
}

/** The element of an id with this attribute: `s12.href`. Throws INVALID_INPUT for another id. */
function findChangeable(
  page: HtmlDocument,
  id: string,
  [attribute, matches]: [attribute: string, fits: (element: PageElement) => boolean],
): PageElement {
  const element = findElement(page, id);
  if (element && `${elementSlotId(page, element)}.${attribute}` === id && matches(element))
    return element;
  throw unknownLinkError(id);
}
