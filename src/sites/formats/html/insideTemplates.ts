import type { DefaultTreeAdapterTypes as Tree } from 'parse5';
import { remembered } from '../../remembered.ts';
import { isElement, type Element, type HtmlDocument } from './document.ts';
import { conditionalNodes, readNoscript } from './hiddenMarkup.ts';

const known = new WeakMap<HtmlDocument['elements'], Element[]>();

/**
 * Elements in `template` elements, which join the page only when a script adds them, and in
 * conditional comments, which only old browsers read.
 */
export const insideTemplates = (page: HtmlDocument): Element[] =>
  remembered(known, page.elements, () => search(page));

function search({ source, root }: HtmlDocument): Element[] {
  const found: Element[] = [];
  const waiting = root.childNodes.map((node) => ({ node, isInert: false }));
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { node, isInert } = next;
    if (isInert && isElement(node)) {
      readNoscript(source, node);
      found.push(node);
    }
    const add = (nodes: Tree.ChildNode[], areInert: boolean) =>
      waiting.push(...nodes.toReversed().map((one) => ({ node: one, isInert: areInert })));
    if ('data' in node) add(conditionalNodes(source, node), true);
    if ('content' in node) add(node.content.childNodes, true);
    if ('childNodes' in node) add(node.childNodes, isInert);
  }
  return found;
}

/** All elements of a page, including those in `template` elements and conditional comments. */
export const allElements = (page: HtmlDocument): Element[] => [
  ...page.elements,
  ...insideTemplates(page),
];
