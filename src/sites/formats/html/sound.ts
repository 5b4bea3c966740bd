import { descendants, isSvg, type Element } from './document.ts';

/** A block with more elements is a part of the page, not one of many. */
const MOST_ELEMENTS = 400;

const voids = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));
/** End tags that HTML lets be left out where the next sibling begins. */
const mayStayOpen = new Set('li dt dd p tr td th option optgroup rt rp thead tbody tfoot colgroup caption'.split(' '));
const madeByParser = new Set(['tbody', 'colgroup']);
/** What a page must hold once only. */
const single = new Set(['script', 'style', 'template', 'main', 'h1', 'title', 'form', 'frameset']);

/** Whether a block can be taken out or put in again: it is written in one piece, tag by tag, and nothing in it may stand once only. */
export function isSound(block: Element): boolean {
  const place = block.sourceCodeLocation;
  let count = 0;
  for (const element of descendants(block)) {
    const own = element.sourceCodeLocation;
    if (++count > MOST_ELEMENTS || !place || (single.has(element.tagName) && !isSvg(element))) return false;
    if (!own && madeByParser.has(element.tagName)) continue;
    if (!own || own.startOffset < place.startOffset || own.endOffset > place.endOffset || !isWhole(element))
      return false;
  }
  return isWhole(block);
}

function isWhole(element: Element): boolean {
  const place = element.sourceCodeLocation;
  if (!place?.startTag) return false;
  return place.endTag !== undefined || voids.has(element.tagName) || mayStayOpen.has(element.tagName) || isSvg(element);
}
