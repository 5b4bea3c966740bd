import { remembered } from '../../../remembered.ts';
import {
  attributeOf,
  closest,
  hasToken,
  rangeOf,
  type Element,
  type HtmlDocument,
} from '../document.ts';
import { landmarkOf } from '../roles.ts';
import { isFooter } from './footer.ts';

/** The blocks at the two ends of a page's content. */
interface Edges {
  header: Element | undefined;
  footer: Element | undefined;
}

const known = new WeakMap<HtmlDocument['elements'], Edges>();

/** The blocks of the site's chrome that a page begins and ends with. */
const edgesOf = ({ elements }: HtmlDocument): Edges =>
  remembered(known, elements, () => {
    const isHeadline = (element: Element) => element.tagName === 'h1' && !landmarkOf(element);
    const headline = elements.findIndex(isHeadline);
    const top = headline === -1 ? elements : elements.slice(0, headline);
    const bottom = elements.slice(elements.findLastIndex(isHeadline) + 1);
    const footers = bottom.filter((element) => isFooter(element) && !isOfContent(element));
    const isOuter = (element: Element) =>
      !footers.some((other) => other !== element && closest(element, (one) => one === other));
    return {
      header: top.find(isHeader) ?? top.find(isNamedHeader),
      footer: footers.findLast(isOuter),
    };
  });

const isOfContent = (element: Element) =>
  closest(element, ({ tagName }) => content.has(tagName)) !== undefined;
const content = new Set(['article', 'section', 'aside', 'blockquote', 'figure', 'dialog', 'form']);
const headers = new Set(['header', 'nav']);

const isHeader = (element: Element) =>
  landmarkOf(element) === element &&
  !isOfContent(element) &&
  (headers.has(element.tagName) ||
    ['banner', 'navigation'].includes(attributeOf(element, 'role') ?? '')) &&
  !/breadcrumb/i.test(attributeOf(element, 'aria-label') ?? '');

/** Usual ids and classes of headers that are no `header` element. */
const names = ['header', 'site-header', 'page-header', 'masthead', 'navbar', 'topbar', 'nav'];
const isNamedHeader = (element: Element) =>
  !isOfContent(element) &&
  closest(element, ({ tagName }) => tagName === 'body') !== undefined &&
  names.some((name) => attributeOf(element, 'id') === name || hasToken(element, 'class', name));

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
