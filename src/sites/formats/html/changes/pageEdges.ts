import { getOrCreate } from '../../../remembered.ts';
import { attributeOf, closest, rangeOf, type PageElement, type HtmlDocument } from '../document.ts';
import { isFooter } from './footer.ts';

/** The blocks at the two ends of a page's content. */
interface PageEdges {
  header: PageElement | undefined;
  footer: PageElement | undefined;
}

const edgesByPage = new WeakMap<HtmlDocument['elements'], PageEdges>();

/** The blocks of the site's chrome that a page begins and ends with. */
const findEdges = ({ elements }: HtmlDocument): PageEdges =>
  getOrCreate(edgesByPage, elements, () => ({
    header: elements.find(isHeader),
    footer: elements.findLast((element) => isFooter(element) && !isOfContent(element)),
  }));

const isOfContent = (element: PageElement) =>
  closest(element, ({ tagName }) => contentTags.has(tagName)) !== undefined;
const contentTags = new Set([
  'main',
  'article',
  'section',
  'aside',
  'blockquote',
  'dialog',
  'form',
]);

const isHeader = (element: PageElement) =>
  (['header', 'nav'].includes(element.tagName) ||
    ['banner', 'navigation'].includes(attributeOf(element, 'role') ?? '')) &&
  !isOfContent(element);

/** Whether an element of the body stands before the page's header, or after its footer. */
export function isBeyondEdges(page: HtmlDocument, element: PageElement): boolean {
  const { header, footer } = findEdges(page);
  const { start } = rangeOf(element);
  if (start === -1 || closest(element, ({ tagName }) => tagName === 'body') === undefined)
    return false;
  return (
    (header !== undefined && start < rangeOf(header).start) ||
    (footer !== undefined && start >= rangeOf(footer).end)
  );
}
