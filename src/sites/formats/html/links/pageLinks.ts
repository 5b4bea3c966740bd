import type { PageLink, PageImage, PageAddress } from '../../page.ts';
import type MagicString from 'magic-string';
import { defined } from '../../../../contract/defined.ts';
import { DomainError } from '../../../../errors.ts';
import { invalidInput } from '../../../invalidInput.ts';
import { addressesOf, type Addresses } from './pageAddresses.ts';
import type { SiteTarget } from '../../changes.ts';
import { writeAttribute } from '../writeAttributes.ts';
import {
  attributeOf,
  childrenOf,
  parentOf,
  textOf,
  type Element,
  type HtmlDocument,
} from '../document.ts';
import { elementOf, idOf, type Page } from '../openPage.ts';
import { roleOf } from '../roles.ts';
import { tidyLine } from '../escape.ts';
import { decode, parseReference } from '../../../pages/urls.ts';

export const isLink = (element: Element) =>
  (element.tagName === 'a' || element.tagName === 'area') &&
  attributeOf(element, 'href') !== undefined;
export const isImage = (element: Element) =>
  element.tagName === 'img' ||
  (element.tagName === 'input' && attributeOf(element, 'type')?.toLowerCase() === 'image');

/** Links of a page in document order, including those that look like buttons. */
export function linksOf(page: Page): PageLink[] {
  const { slugOfLink } = addressesOf(page);
  return page.elements.filter(isLink).map((link) => ({
    id: `${idOf(page, link)}.href`,
    role: roleOf(link) === 'button' ? 'button' : 'link',
    text: nameOf(link),
    href: attributeOf(link, 'href') ?? '',
    ...defined({ slug: slugOfLink(link) }),
  }));
}

/**
 * The addresses that people can change, in document order: of links, and of images in the site's
 * files.
 */
export function pageAddresses(page: Page): PageAddress[] {
  const addresses = addressesOf(page);
  return page.elements.flatMap((element): PageAddress[] => {
    const id = idOf(page, element);
    if (isLink(element)) {
      const value = fromRoot(addresses, attributeOf(element, 'href') ?? '');
      return [{ id: `${id}.href`, kind: 'link', name: nameOf(element), value }];
    }
    const path = isImage(element) ? addresses.pathOf(attributeOf(element, 'src') ?? '') : undefined;
    if (path === undefined) return [];
    const name = tidyLine(attributeOf(element, 'alt') ?? '');
    return [{ id: `${id}.src`, kind: 'image', name, value: decode(path) }];
  });
}

/**
 * An address as a path from the site's root. A link to the page itself (`#team`) and addresses
 * outside of the site stay as they are.
 */
function fromRoot(addresses: Addresses, href: string): string {
  const { path, query, fragment } = parseReference(href);
  if (path === '') return href;
  const slug = addresses.slugOf(href);
  if (slug !== undefined) return slug + query + fragment;
  const inside = addresses.pathOf(href);
  return inside === undefined ? href : decode(inside) + query + fragment;
}

/** The links of a page that lead to `slug`. */
export function linksTo(page: Page, slug: string): Element[] {
  const { slugOfLink } = addressesOf(page);
  return page.elements.filter((element) => isLink(element) && slugOfLink(element) === slug);
}

/**
 * The name of a link: its text, else its `aria-label`, else the label or alternative text of an
 * image in it.
 */
export function nameOf(link: Element): string {
  const labels = [link, ...imagesIn(link)].flatMap((e) => [
    attributeOf(e, 'aria-label'),
    attributeOf(e, 'alt'),
  ]);
  return [textOf(link), ...labels].map((name) => tidyLine(name ?? '')).find(Boolean) ?? '';
}

const imagesIn = (element: Element): Element[] =>
  childrenOf(element).flatMap((child) => (isImage(child) ? [child] : imagesIn(child)));

/** Images of a page in document order. */
export function imagesOf(page: Page): PageImage[] {
  const { fileOf } = addressesOf(page);
  return page.elements.filter(isImage).map((image) => {
    const src = attributeOf(image, 'src') ?? '';
    const { scheme, path } = parseReference(src);
    return {
      id: `${idOf(page, image)}.alt`,
      file: scheme === 'data:' ? '' : decode(path.split('/').at(-1)),
      path: fileOf(src),
      alt: tidyLine(attributeOf(image, 'alt') ?? ''),
    };
  });
}

/** Ids and anchor names that a URL fragment can name. */
export const anchorsOf = (page: HtmlDocument): string[] =>
  page.elements.flatMap((element) => {
    const name = element.tagName === 'a' ? attributeOf(element, 'name') : undefined;
    return [attributeOf(element, 'id'), name].filter((anchor) => anchor !== undefined);
  });

/**
 * Changes the target of a link. An address is written as given. A page or file of the site is
 * written in the style of the link, else of the page's other links.
 * @throws INVALID_INPUT if `id` is no link
 */
export function writeLink(
  edit: MagicString,
  page: Page,
  { id, target }: { id: string; target: string | SiteTarget },
) {
  const link = changeable(page, id, ['href', isLink]);
  const href = typeof target === 'string' ? target : hrefTo(page, link, target);
  if (href !== attributeOf(link, 'href')) writeAttribute(edit, page, link, ['href', href]);
}

/** The address of a target in the style of a link, else of the page's other links. */
export function hrefTo(page: Page, link: Element | undefined, target: SiteTarget): string {
  const addresses = addressesOf(page);
  const links = [...(link ? [link] : []), ...page.elements.filter(isLink)];
  const hrefs = links.map((one) => attributeOf(one, 'href') ?? '');
  return addresses.to(hrefs.find((href) => addresses.slugOf(href) !== undefined) ?? '/', target);
}

const pictures = /\.(?:avif|gif|ico|jpe?g|png|svg|webp)$/i;

/**
 * Changes the file that an image shows, in the style of its address, and its alternative text. Its
 * other sizes (`srcset`) become the new file too.
 * @throws DomainError NOT_FOUND if `id` is no image, INVALID_INPUT if the file is no image
 */
export function writeImage(
  edit: MagicString,
  page: Page,
  { id, target, alt }: { id: string; target: SiteTarget; alt: string },
) {
  const image = elementOf(page, id);
  if (!image || !isImage(image))
    throw new DomainError('NOT_FOUND', `"${id.slice(0, 40)}" is no image`);
  if (!pictures.test(target.path)) throw invalidInput(`${target.path} is no picture`);
  const addresses = addressesOf(page);
  const images = [image, ...page.elements.filter(isImage)].map(
    (one) => attributeOf(one, 'src') ?? '',
  );
  const model = images.find((src) => addresses.pathOf(src) !== undefined) ?? '/';
  const src = addresses.to(model, target);
  const old = attributeOf(image, 'src');
  writeAltOf(edit, page, image, alt);
  if (old !== src) writeAttribute(edit, page, image, ['src', src]);
  for (const element of [image, ...sourcesOf(image)])
    if (attributeOf(element, 'srcset') !== undefined)
      writeAttribute(edit, page, element, ['srcset', src]);
}

/** The `source` elements of the `picture` around an image. */
function sourcesOf(image: Element): Element[] {
  const parent = parentOf(image);
  return parent?.tagName === 'picture'
    ? childrenOf(parent).filter(({ tagName }) => tagName === 'source')
    : [];
}

function writeAltOf(edit: MagicString, page: HtmlDocument, image: Element, text: string) {
  const alt = tidyLine(text);
  if (alt !== attributeOf(image, 'alt')) writeAttribute(edit, page, image, ['alt', alt]);
}

/** Writes an image's alternative text. Throws INVALID_INPUT if `id` is no image. */
export function writeAlt(edit: MagicString, page: HtmlDocument, id: string, text: string) {
  writeAltOf(edit, page, changeable(page, id, ['alt', isImage]), text);
}

/** The element of an id with an attribute: `s12.href`. */
function changeable(
  page: HtmlDocument,
  id: string,
  [attribute, fits]: [attribute: string, fits: (element: Element) => boolean],
): Element {
  const found = elementOf(page, id);
  if (found && `${idOf(page, found)}.${attribute}` === id && fits(found)) return found;
  throw invalidInput(`The page has no "${id.slice(0, 40)}" that could be changed`);
}
