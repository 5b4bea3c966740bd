import type { DefaultTreeAdapterTypes as Tree } from 'parse5';
import { childrenOf, type Element, type HtmlDocument } from '../document.ts';

/** Elements in `template` elements. They join the page only when a script adds them. */
export function insideTemplates({ elements }: HtmlDocument): Element[] {
  const found: Element[] = [];
  const waiting: Tree.ParentNode[] = elements.flatMap(contentOf);
  for (let node = waiting.pop(); node; node = waiting.pop())
    for (const child of childrenOf(node)) {
      found.push(child);
      waiting.push(child, ...contentOf(child));
    }
  return found;
}

/** All elements of a page, including those in `template` elements. */
export const allElements = (page: HtmlDocument): Element[] => [
  ...page.elements,
  ...insideTemplates(page),
];

const isTemplate = (element: Element): element is Tree.Template => 'content' in element;
const contentOf = (element: Element): Tree.ParentNode[] =>
  isTemplate(element) ? [element.content] : [];
