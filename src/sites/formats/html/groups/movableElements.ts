import { liesIn } from '../../../../text/range.ts';
import { remembered } from '../../../remembered.ts';
import { childrenOf, isSvg, rangeOf, type Element, type HtmlDocument } from '../document.ts';

/** The most elements in a block. A larger one is a part of the page, not one of many. */
const MOST_ELEMENTS = 400;

const voids = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
);
/** Elements whose end tag may be omitted in HTML before the next sibling. */
const mayStayOpen = new Set(
  'li dt dd p tr td th option optgroup rt rp thead tbody tfoot colgroup caption'.split(' '),
);
const madeByParser = new Set(['tbody', 'colgroup']);
/** Elements that a page may hold only once. */
const single = new Set(['script', 'style', 'template', 'main', 'h1', 'title', 'form', 'frameset']);

/**
 * Elements that can be removed or repeated. Each is written in one piece with all its tags, and
 * contains nothing that a page may have only once. Visits every element once, however deeply a page
 * is nested.
 */
export const movableElements = ({ elements }: HtmlDocument): ReadonlySet<Element> =>
  remembered(known, elements, () => findMovable(elements));

const known = new WeakMap<HtmlDocument['elements'], ReadonlySet<Element>>();

function findMovable(elements: HtmlDocument['elements']): ReadonlySet<Element> {
  const movable = new Set<Element>();
  const sizes = new Map<Element, number>();
  for (const element of elements.toReversed()) {
    const children = childrenOf(element);
    sizes.set(
      element,
      children.reduce((sum, child) => sum + (sizes.get(child) ?? 0), 1),
    );
    const holds = (child: Element) =>
      (movable.has(child) && !isSingle(child) && liesIn(rangeOf(child), rangeOf(element))) ||
      isMadeByParser(child);
    if (isWhole(element) && sizes.get(element)! <= MOST_ELEMENTS && children.every(holds))
      movable.add(element);
  }
  return movable;

  function isMadeByParser(element: Element): boolean {
    return (
      !element.sourceCodeLocation &&
      madeByParser.has(element.tagName) &&
      childrenOf(element).every((child) => movable.has(child))
    );
  }
}

const isSingle = (element: Element) => single.has(element.tagName) && !isSvg(element);

function isWhole(element: Element): boolean {
  const place = element.sourceCodeLocation;
  if (!place?.startTag) return false;
  return (
    place.endTag !== undefined ||
    voids.has(element.tagName) ||
    mayStayOpen.has(element.tagName) ||
    isSvg(element)
  );
}
