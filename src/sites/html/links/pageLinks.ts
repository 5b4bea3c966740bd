import type MagicString from 'magic-string';
import { defined } from '../../../contract/defined.ts';
import type { PageFile } from '../../../contract/site.ts';
import { DomainError } from '../../../errors.ts';
import { addressesOf, type SiteTarget } from './addresses.ts';
import { writeAttribute } from '../attributes.ts';
import { attributeOf, isElement, textOf, type Element, type HtmlDocument } from '../document.ts';
import { slotId } from '../ids.ts';
import { roleOf } from '../roles.ts';
import { tidyLine } from '../text.ts';
import { decode, parseReference } from '../../pages/urls.ts';

export interface PageLink {
  id: string;
  role: 'link' | 'button';
  /** What a reader sees of it, or hears: its text, else its label, else its image's. */
  text: string;
  href: string;
  /** The page of this site that it leads to. */
  slug?: string;
}

export interface PageImage {
  id: string;
  /** The file's name, '' for an image that is part of the page's source. */
  file: string;
  alt: string;
}

const isLink = (element: Element) =>
  (element.tagName === 'a' || element.tagName === 'area') && attributeOf(element, 'href') !== undefined;
const isImage = (element: Element) =>
  element.tagName === 'img' || (element.tagName === 'input' && attributeOf(element, 'type')?.toLowerCase() === 'image');

/** Links of a page in document order, those that look like buttons among them. */
export function linksOf(page: HtmlDocument, file: PageFile): PageLink[] {
  const addresses = addressesOf(page, { template: file, target: file });
  return [...page.numbers]
    .filter(([element]) => isLink(element))
    .map(([element, number]) => {
      const href = attributeOf(element, 'href') ?? '';
      const slug = addresses.slugOf(href);
      const role = roleOf(element) === 'button' ? 'button' : 'link';
      return { id: `${slotId(number)}.href`, role, text: nameOf(element), href, ...defined({ slug }) };
    });
}

/** The links of a page that lead to `slug`. */
export function linksTo(page: HtmlDocument, file: PageFile, slug: string): Element[] {
  const addresses = addressesOf(page, { template: file, target: file });
  return [...page.numbers.keys()]
    .filter(isLink)
    .filter((link) => addresses.slugOf(attributeOf(link, 'href') ?? '') === slug);
}

function nameOf(link: Element): string {
  const labels = [link, ...imagesIn(link)].flatMap((e) => [attributeOf(e, 'aria-label'), attributeOf(e, 'alt')]);
  return [textOf(link), ...labels].map((name) => tidyLine(name ?? '')).find((name) => name !== '') ?? '';
}

const imagesIn = ({ childNodes }: Element): Element[] =>
  childNodes.filter(isElement).flatMap((child) => (isImage(child) ? [child] : imagesIn(child)));

/** Images of a page in document order. */
export function imagesOf(page: HtmlDocument): PageImage[] {
  return [...page.numbers]
    .filter(([element]) => isImage(element))
    .map(([element, number]) => {
      const { scheme, path } = parseReference(attributeOf(element, 'src') ?? '');
      const file = scheme === 'data:' ? '' : decode(path.split('/').at(-1));
      return { id: `${slotId(number)}.alt`, file, alt: tidyLine(attributeOf(element, 'alt') ?? '') };
    });
}

/** Ids that a fragment of an address can name. */
export const anchorsOf = (page: HtmlDocument): string[] =>
  [...page.numbers.keys()].flatMap((element) => {
    const name = element.tagName === 'a' ? attributeOf(element, 'name') : undefined;
    return [attributeOf(element, 'id'), name].filter((anchor) => anchor !== undefined);
  });

/**
 * Writes where a link leads: an address as it is given, a page of the site in the style of the link, or else of the
 * page's other links.
 * @throws INVALID_INPUT where `id` is no link
 */
export function writeLink(
  edit: MagicString,
  page: HtmlDocument,
  file: PageFile,
  id: string,
  target: string | SiteTarget,
) {
  const link = elementAt(page, id, 'href', isLink);
  const href = typeof target === 'string' ? target : hrefTo(page, file, link, target);
  if (href !== attributeOf(link, 'href')) writeAttribute(edit, page, link, 'href', href);
}

function hrefTo(page: HtmlDocument, file: PageFile, link: Element, target: SiteTarget): string {
  const addresses = addressesOf(page, { template: file, target: file });
  const models = [link, ...[...page.numbers.keys()].filter(isLink)].map((e) => attributeOf(e, 'href') ?? '');
  return addresses.to(models.find((href) => addresses.slugOf(href) !== undefined) ?? '/', target);
}

/** Writes an image's text. Throws INVALID_INPUT where `id` is no image. */
export function writeAlt(edit: MagicString, page: HtmlDocument, id: string, text: string) {
  const image = elementAt(page, id, 'alt', isImage);
  const alt = tidyLine(text);
  if (alt !== attributeOf(image, 'alt')) writeAttribute(edit, page, image, 'alt', alt);
}

function elementAt(page: HtmlDocument, id: string, attribute: string, fits: (element: Element) => boolean): Element {
  const found = [...page.numbers].find(([element, number]) => `${slotId(number)}.${attribute}` === id && fits(element));
  if (!found) throw new DomainError('INVALID_INPUT', `The page has no "${id.slice(0, 40)}" that could be changed`);
  return found[0];
}
