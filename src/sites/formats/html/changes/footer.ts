import { attributeOf, hasToken, type Element, type HtmlDocument } from '../document.ts';
import { landmarkOf } from '../roles.ts';
import { findSlotPlaces } from '../slots/findSlotPlaces.ts';

/** Usual ids and classes of footers that are no `footer` element. */
const names = ['footer', 'site-footer', 'page-footer', 'colophon', 'copyright'];

/**
 * Slot ids of the texts in a page's footer; null if it has none. Footers of articles don't count.
 */
export function footerTexts(page: HtmlDocument): string[] | null {
  const inside = new Set<Element['parentNode']>();
  for (const element of page.elements)
    if (inside.has(element.parentNode) || isFooter(element)) inside.add(element);
  const found = findSlotPlaces(page).filter(({ element }) => inside.has(element));
  return inside.size === 0 ? null : found.map(({ slot }) => slot.id);
}

export const isFooter = (element: Element) =>
  (element.tagName === 'footer' && landmarkOf(element) === element) ||
  attributeOf(element, 'role') === 'contentinfo' ||
  names.some((name) => attributeOf(element, 'id') === name || hasToken(element, 'class', name));
