import { invalidInput } from '../../../invalidInput.ts';
import { remembered } from '../../../remembered.ts';
import {
  attributeOf,
  childrenOf,
  closest,
  hasToken,
  parentOf,
  rangeOf,
  textOf,
  tokensOf,
  within,
  type Element,
  type HtmlDocument,
} from '../document.ts';
import { tidyLine } from '../escape.ts';
import { elementOf, idOf, type Page } from '../openPage.ts';
import { landmarkOf } from '../roles.ts';
import { findSlotPlaces } from '../slots/findSlotPlaces.ts';
import type { Rebuilt } from '../../changes.ts';
import { without, withLead } from './recompose.ts';
import { sectionsOf } from './sections.ts';
import { isFooter } from './footer.ts';

/** The two ends of a page's content: before its header, and after its footer. */
export type Edge = 'header' | 'footer';

type Edges = { [edge in Edge]: Element | undefined };

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

/** The header or footer of a page. Throws INVALID_INPUT for none. */
export function edgeAt(page: HtmlDocument, edge: Edge): Element {
  const found = edgesOf(page)[edge];
  if (found) return found;
  throw invalidInput(
    edge === 'header'
      ? 'The page has no header or navigation above its headline'
      : 'The page has no footer',
  );
}

/** The blocks before the header of a page, or after its footer, from there on outwards. */
function blocksAt(page: HtmlDocument, edge: Edge): Element[] {
  const found = edgesOf(page)[edge];
  const parent = found && parentOf(found);
  if (!parent) return [];
  const siblings = childrenOf(parent).filter(({ tagName }) => !unseen.has(tagName));
  const at = siblings.indexOf(found);
  return edge === 'header' ? siblings.slice(0, at).reverse() : siblings.slice(at + 1);
}
const unseen = new Set(['script', 'style', 'template', 'noscript', 'link', 'meta']);

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

/**
 * The block before the header, or after the footer, that an element stands in; undefined for other
 * elements.
 */
export function bannerAround(page: Page, id: string): Element | undefined {
  const element = elementOf(page, id);
  const blocks = new Set([...blocksAt(page, 'header'), ...blocksAt(page, 'footer')]);
  return element && closest(element, (around) => blocks.has(around));
}

/** Removes a block before the header or after the footer; null for an id elsewhere. */
export function removeBanner(page: Page, id: string): Rebuilt | null {
  const banner = bannerAround(page, id);
  return banner && !isSection(page, id) ? without(page, [withLead(page, rangeOf(banner))]) : null;
}

const isSection = (page: Page, id: string) => sectionsOf(page).some((section) => section.id === id);

/** The block next to the header or the footer. Throws INVALID_INPUT for none. */
export function bannerAt(page: Page, edge: Edge): Element {
  const [banner] = blocksAt(page, edge);
  if (banner) return banner;
  throw invalidInput(`${page.file.slug} has nothing there`);
}

/**
 * Checks that new elements can stand before a page's header, or after its footer.
 * @throws DomainError INVALID_INPUT for more than one element, and for one that is there already
 */
export function checkBanner(page: Page, edge: Edge, roots: Element[]) {
  const [root] = roots;
  if (!root || roots.length > 1)
    throw invalidInput(`There stands one element: put the ${roots.length} into one`);
  const says = saysOf(root);
  const same = blocksAt(page, edge).find((block) => saysOf(block) === says);
  if (!same) return;
  const inside = new Set(within([same]));
  const text = findSlotPlaces(page).find(({ element }) => inside.has(element));
  throw invalidInput(`The same stands there already: ${text?.slot.id ?? idOf(page, same)}`);
}

/** What a block says and looks like, without ids and addresses, which differ between pages. */
const saysOf = (block: Element) =>
  JSON.stringify([
    tidyLine(textOf(block)),
    within([block]).map((element) => [element.tagName, ...tokensOf(element, 'class')]),
  ]);
