import { getOrCreate } from '../../remembered.ts';
import type { SlotRole } from '../pageParts.ts';
import {
  ancestors,
  attributeOf,
  childrenOf,
  closest,
  hasToken,
  isSvg,
  parentOf,
  type PageElement,
} from './document.ts';

/**
 * What an element is on its page: the role of its text (`heading`, `button` …), the attributes that
 * have texts, and the landmark around it. Landmarks are the regions around the content of a page,
 * such as its navigation and its footer.
 */

const roleByTag: Record<string, SlotRole> = {
  figcaption: 'caption',
  caption: 'caption',
  td: 'table-cell',
  th: 'table-cell',
  li: 'list-item',
  dt: 'list-item',
  dd: 'list-item',
  p: 'paragraph',
  blockquote: 'paragraph',
  address: 'paragraph',
  pre: 'paragraph',
  label: 'other',
  legend: 'other',
  option: 'other',
  summary: 'other',
  button: 'button',
};

/** Level of the heading that an element is, or is in; undefined for none. */
export function headingLevel(element: PageElement): number | undefined {
  const heading = closest(element, isHeading);
  return heading && Number(heading.tagName[1]);
}

const headings = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6']);
const isHeading = ({ tagName }: PageElement) => headings.has(tagName);

/** The role of an element's text, from the nearest element with a role: itself or an ancestor. */
export function roleOf(element: PageElement): SlotRole {
  if (headingLevel(element) !== undefined) return 'heading';
  for (const ancestor of ancestors(element)) {
    if (isSvg(ancestor)) return 'svg-text';
    if (ancestor.tagName === 'a') return isButton(ancestor) ? 'button' : 'link';
    const role = roleByTag[ancestor.tagName];
    if (role) return role;
  }
  return 'paragraph';
}

const isButton = (link: PageElement) =>
  attributeOf(link, 'role') === 'button' ||
  hasToken(link, 'class', 'btn') ||
  hasToken(link, 'class', 'button');

/** Whether the content of an element is one slot, unless it is only a row of links. */
export const holdsOneText = (block: PageElement) => roleByTag[block.tagName] !== undefined;

/**
 * Whether an element names the value after it: `dt` before its `dd`, `th` before the only `td` of
 * its row.
 */
export function isLabelElement({ tagName, parentNode }: PageElement): boolean {
  if (tagName === 'dt') return true;
  if (tagName !== 'th' || !parentNode) return false;
  const cells = childrenOf(parentNode);
  return cells.length === 2 && cells[0]!.tagName === 'th' && cells[1]!.tagName === 'td';
}

const metaRoles: Record<string, SlotRole> = {
  description: 'description',
  'og:title': 'social-title',
  'twitter:title': 'social-title',
  'og:description': 'social-description',
  'twitter:description': 'social-description',
  'og:image:alt': 'image-alt',
  'twitter:image:alt': 'image-alt',
  'og:site_name': 'other',
  keywords: 'other',
  author: 'other',
  'application-name': 'other',
  'apple-mobile-web-app-title': 'other',
};

/** The role of a `meta` element's content; undefined if it is not a text for people. */
const metaRole = (meta: PageElement): SlotRole | undefined =>
  metaRoles[(attributeOf(meta, 'name') ?? attributeOf(meta, 'property') ?? '').toLowerCase()];

const buttonTypes = new Set(['submit', 'button', 'reset']);

/** The attributes with texts for people or screen readers, with their roles. */
export function textAttributesOf(element: PageElement): [name: string, role: SlotRole][] {
  const { tagName } = element;
  if (tagName === 'meta') {
    const role = metaRole(element);
    return role ? [['content', role]] : [];
  }
  if (['link', 'style', 'script', 'base', 'html', 'head'].includes(tagName)) return [];
  const type = (attributeOf(element, 'type') ?? '').toLowerCase();
  const attributes: [string, SlotRole][] = [];
  if (tagName === 'img' || tagName === 'area' || (tagName === 'input' && type === 'image'))
    attributes.push(['alt', 'image-alt']);
  if (tagName === 'input' && buttonTypes.has(type)) attributes.push(['value', 'button']);
  if (tagName === 'input' || tagName === 'textarea') attributes.push(['placeholder', 'other']);
  if (['option', 'optgroup', 'track'].includes(tagName)) attributes.push(['label', 'other']);
  return [...attributes, ['aria-label', 'other'], ['title', 'other']];
}

/**
 * The landmark that an element is, or is in (ARIA: banner, navigation, complementary, contentinfo);
 * null in the page's content.
 */
export function landmarkOf(element: PageElement): PageElement | null {
  return getOrCreate(landmarkByElement, element, () => {
    const parent = parentOf(element);
    if (isLandmark(element)) return element;
    return parent ? landmarkOf(parent) : null;
  });
}

/** Cache by element, since each call would walk up a deep page again. */
const landmarkByElement = new WeakMap<PageElement, PageElement | null>();

const landmarkRoles = new Set(['banner', 'navigation', 'complementary', 'contentinfo']);
const contentTags = new Set(['main', 'article', 'section', 'aside', 'nav']);

function isLandmark(element: PageElement): boolean {
  if (element.tagName === 'nav' || landmarkRoles.has(attributeOf(element, 'role') ?? ''))
    return true;
  if (!['header', 'footer', 'aside'].includes(element.tagName)) return false;
  return !ancestors(element)
    .drop(1)
    .some(({ tagName }) => contentTags.has(tagName));
}
