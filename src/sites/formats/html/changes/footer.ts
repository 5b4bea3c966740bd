import { attributeOf, hasToken, type PageElement, type HtmlDocument } from '../document.ts';
import { landmarkOf } from '../roles.ts';
import { findSlotPlaces } from '../slots/findSlotPlaces.ts';

/** Usual ids and classes of footers that are not `footer` elements. */
const footerNames = ['footer', 'site-footer', 'page-footer', 'colophon', 'copyright'];

/** Slot ids of the texts in a page's footer; null if it has none but those of articles. */
export function findFooterTexts(page: HtmlDocument): string[] | null {
  const footerElements = new Set<PageElement['parentNode']>();
  for (const element of page.elements)
    if (footerElements.has(element.parentNode) || isFooter(element)) footerElements.add(element);
  const footerPlaces = findSlotPlaces(page).filter(({ element }) => footerElements.has(element));
  return footerElements.size === 0 ? null : footerPlaces.map(({ slot }) => slot.id);
}

export const isFooter = (element: PageElement) =>
  (element.tagName === 'footer' && landmarkOf(element) === element) ||
  attributeOf(element, 'role') === 'contentinfo' ||
  footerNames.some(
    (name) => attributeOf(element, 'id') === name || hasToken(element, 'class', name),
  );
