import { isWithin } from '../../../../text/textRange.ts';
import { getOrCreate } from '../../../remembered.ts';
import { childrenOf, isSvg, rangeOf, type PageElement, type HtmlDocument } from '../document.ts';

/** The most elements in a block. A larger one is a part of the page, not one of many. */
const MAX_ELEMENTS = 400;

const voidTags = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
);
/** Elements whose end tag may be omitted in HTML before the next sibling. */
const optionalEndTags = new Set(
  'li dt dd p tr td th option optgroup rt rp thead tbody tfoot colgroup caption'.split(' '),
);
const parserTags = new Set(['tbody', 'colgroup']);
/** Elements that a page may hold only once. */
const singleTags = new Set([
  'script',
  'style',
  'template',
  'main',
  'h1',
  'title',
  'form',
  'frameset',
]);

/**
 * Elements that can be removed or repeated. Each is written in one piece with all its tags, and
 * contains nothing that a page may have only once. Visits every element once, however deeply a page
 * is nested.
 */
export const movableElements = ({ elements }: HtmlDocument): ReadonlySet<PageElement> =>
  getOrCreate(cachedMovable, elements, () => findMovable(elements));

const cachedMovable = new WeakMap<HtmlDocument['elements'], ReadonlySet<PageElement>>();

function findMovable(elements: HtmlDocument['elements']): ReadonlySet<PageElement> {
  const movable = new Set<PageElement>();
  const sizes = new Map<PageElement, number>();
  for (const element of elements.toReversed()) {
    const children = childrenOf(element);
    sizes.set(
      element,
      children.reduce((sum, child) => sum + (sizes.get(child) ?? 0), 1),
    );
    const isContained = (child: PageElement) =>
      (movable.has(child) && !isSingle(child) && isWithin(rangeOf(child), rangeOf(element))) ||
      isMadeByParser(child);
    if (
      isWrittenWhole(element) &&
      sizes.get(element)! <= MAX_ELEMENTS &&
      children.every(isContained)
    )
      movable.add(element);
  }
  return movable;

  function isMadeByParser(element: PageElement): boolean {
    return (
      !element.sourceCodeLocation &&
      parserTags.has(element.tagName) &&
      childrenOf(element).every((child) => movable.has(child))
    );
  }
}

const isSingle = (element: PageElement) => singleTags.has(element.tagName) && !isSvg(element);

function isWrittenWhole(element: PageElement): boolean {
  const location = element.sourceCodeLocation;
  if (!location?.startTag) return false;
  return (
    location.endTag !== undefined ||
    voidTags.has(element.tagName) ||
    optionalEndTags.has(element.tagName) ||
    isSvg(element)
  );
}
