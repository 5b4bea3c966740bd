import { remembered } from '../../../remembered.ts';
import { attributeOf, closest, rangeOf, type Element, type HtmlDocument } from '../document.ts';
import { isFooter } from './footer.ts';

/** The blocks at the two ends of a page's content. */
interface Edges {
  header: Element | undefined;
  footer: Element | undefined;
}

const known = new WeakMap<HtmlDocument['elements'], Edges>();

/** The blocks of the site's chrome that a page begins and ends with. */
const edgesOf = ({ elements }: HtmlDocument): Edges =>
  remembered(known, elements, () => ({
    header: elements.find(isHeader),
    footer: elements.findLast((element) => isFooter(element) && !isOfContent(element)),
  }));

const isOfContent = (element: Element) =>
  closest(element, ({ tagName }) => content.has(tagName)) !== undefined;
const content = new Set(['main', 'article', 'section', 'aside', 'blockquote', 'dialog', 'form']);

const isHeader = (element: Element) =>
  (['header', 'nav'].includes(element.tagName) ||
    ['banner', 'navigation'].includes(attributeOf(element, 'role') ?? '')) &&
  !isOfContent(element);

/** Whether an element stands before the page's header, or after its footer. */
export function isBeyondEdges(page: HtmlDocument, element: Element): boolean {
  const { header, footer } = edgesOf(page);
  const { start } = rangeOf(element);
  if (start === -1 || closest(element, ({ tagName }) => tagName === 'body') === undefined)
    return false;
  return (
    (header !== undefined && start < rangeOf(header).start) ||
    (footer !== undefined && start >= rangeOf(footer).end)
  );
}
