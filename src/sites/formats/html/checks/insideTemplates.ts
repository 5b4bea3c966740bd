import type { DefaultTreeAdapterTypes as Tree } from 'parse5';
import { isElement, type Element, type HtmlDocument } from '../document.ts';

/**
 * Elements in the contents of a page's `template` elements, which are none of the page's own until
 * a script takes them.
 */
export function insideTemplates({ numbers }: HtmlDocument): Element[] {
  const found: Element[] = [];
  const waiting: Tree.ParentNode[] = [...numbers.keys()].flatMap(contentOf);
  for (let node = waiting.pop(); node; node = waiting.pop())
    for (const child of node.childNodes.filter(isElement)) {
      found.push(child);
      waiting.push(child, ...contentOf(child));
    }
  return found;
}

const isTemplate = (element: Element): element is Tree.Template => 'content' in element;
const contentOf = (element: Element): Tree.ParentNode[] =>
  isTemplate(element) ? [element.content] : [];
