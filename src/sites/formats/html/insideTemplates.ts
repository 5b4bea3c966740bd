import type { DefaultTreeAdapterTypes as Tree } from 'parse5';
import { getOrCreate } from '../../remembered.ts';
import { isElement, type PageElement, type HtmlDocument } from './document.ts';
import { conditionalNodes, readNoscript } from './hiddenMarkup.ts';

const elementsByDocument = new WeakMap<HtmlDocument['elements'], PageElement[]>();

/**
 * Elements that the page does not show by itself: those in `template` elements, which a script may
 * add to the page, and those in conditional comments, which only old browsers read.
 */
export const insideTemplates = (page: HtmlDocument): PageElement[] =>
  getOrCreate(elementsByDocument, page.elements, () => search(page));

function search({ source, root }: HtmlDocument): PageElement[] {
  const foundElements: PageElement[] = [];
  const unvisitedNodes = root.childNodes.map((node) => ({ node, isInert: false }));
  for (let next = unvisitedNodes.pop(); next; next = unvisitedNodes.pop()) {
    const { node, isInert } = next;
    if (isInert && isElement(node)) {
      readNoscript(source, node);
      foundElements.push(node);
    }
    const add = (nodes: Tree.ChildNode[], areInert: boolean) =>
      unvisitedNodes.push(...nodes.toReversed().map((one) => ({ node: one, isInert: areInert })));
    if ('data' in node) add(conditionalNodes(source, node), true);
    if ('content' in node) add(node.content.childNodes, true);
    if ('childNodes' in node) add(node.childNodes, isInert);
  }
  return foundElements;
}

/** All elements of a page, including those in `template` elements and conditional comments. */
export const allElements = (page: HtmlDocument): PageElement[] => [
  ...page.elements,
  ...insideTemplates(page),
];
