import { html, parse, type DefaultTreeAdapterTypes as Tree } from 'parse5';
import { LRUCache } from 'lru-cache';
import { limits } from '../../../contract/task.ts';
import { DomainError } from '../../../errors.ts';
import type { TextRange } from '../../../text/textRange.ts';
import { getOrCreate } from '../../remembered.ts';
import { createParseErrors, type ParseFault } from './parseErrors.ts';
import { createTreeAdapter, readNoscript } from './hiddenMarkup.ts';
import { parseAround, type TemplateCode } from './templateCode.ts';

export type PageElement = Tree.Element;
export type PageNode = Tree.ChildNode;

/**
 * A parsed page. `source` excludes the byte order mark, which is in `bom` ('' for none). Positions
 * count UTF-16 units of `source`.
 */
export interface HtmlDocument {
  bom: string;
  source: string;
  root: Tree.Document;
  /**
   * Every element in document order. Those in `noscript` elements and in shadow roots count; the
   * contents of other `template` elements do not (see `insideTemplates.ts`).
   */
  elements: readonly PageElement[];
  /**
   * The number of each element, from 0 in document order. Changes of texts and URLs keep the
   * numbers. When groups change, old elements keep their numbers, and those in the nth clone end
   * with `+n`.
   */
  elementNumbers: ReadonlyMap<PageElement, string>;
  /** Parse errors (HTML standard) by code and tag. Of several with one key, the first counts. */
  errors: ReadonlyMap<string, ParseFault>;
  /** Front matter and template tags, by their starts. Nothing is written in them. */
  code: ReadonlyMap<number, TemplateCode>;
}

/** Each thread caches parsed pages up to this many characters, to parse each only once. */
const MAX_PARSED_CHARACTERS = 1_000_000;
const parsedPages = new LRUCache<string, HtmlDocument>({
  maxSize: MAX_PARSED_CHARACTERS,
  sizeCalculation: (_, text) => text.length + 1,
});

/**
 * Parses a page with source positions. Callers share the returned document and must not change it.
 * @throws LIMIT_EXCEEDED for a page over 2 MB or nested deeper than 500 elements
 */
export function parseDocument(text: string): HtmlDocument {
  return getOrCreate<string, HtmlDocument>(parsedPages, text, () => parsePage(text));
}

function parsePage(text: string): HtmlDocument {
  const bytes = Buffer.byteLength(text);
  if (bytes > limits.pageBytes)
    throw new DomainError(
      'LIMIT_EXCEEDED',
      `The page has ${bytes} bytes; at most ${limits.pageBytes} are allowed`,
    );
  const bom = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const source = text.slice(bom.length);
  const { errors, take } = createParseErrors(source);
  const { root, code } = parseAround(source, (masked, isFinal) => {
    const document = parse(masked, {
      sourceCodeLocationInfo: true,
      treeAdapter: createTreeAdapter(),
      onParseError: isFinal ? take : null,
    });
    for (const element of descendants(document)) readNoscript(masked, element);
    return document;
  });
  const elements = [...descendants(root)];
  const elementNumbers = new Map(elements.map((element, i) => [element, `${i}`]));
  return { bom, source, root, elements, elementNumbers, errors, code };
}

export const isElement = (node: Tree.Node): node is PageElement => 'tagName' in node;
export const isText = (node: Tree.Node): node is Tree.TextNode => node.nodeName === '#text';

/** The parent element; undefined for the root. */
export const parentOf = ({ parentNode }: PageElement): PageElement | undefined =>
  parentNode && isElement(parentNode) ? parentNode : undefined;

export const childrenOf = ({ childNodes }: Tree.ParentNode): PageElement[] =>
  childNodes.filter(isElement);

/** The source range of an element; -1 for an element that the parser inserted. */
export const rangeOf = ({ sourceCodeLocation: location }: PageElement): TextRange => ({
  start: location?.startOffset ?? -1,
  end: location?.endOffset ?? -1,
});

/** The source range from the start of the first element to the end of the last. */
export const spanOf = (elements: PageElement[]): TextRange => ({
  start: rangeOf(elements[0]!).start,
  end: rangeOf(elements.at(-1)!).end,
});

/** Elements below `node` in document order, except the contents of `template` elements. */
export function* descendants(node: Tree.ParentNode): Generator<PageElement> {
  const pendingElements = childrenOf(node).reverse();
  for (let element = pendingElements.pop(); element; element = pendingElements.pop()) {
    yield element;
    pendingElements.push(...childrenOf(element).reverse());
  }
}

/** The elements and all their descendants, in document order. */
export const within = (elements: readonly PageElement[]): PageElement[] =>
  elements.flatMap((element) => [element, ...descendants(element)]);

/** The element and its ancestors, from the inside out. */
export function* ancestors(element: PageElement): Generator<PageElement> {
  for (let ancestor: PageElement | undefined = element; ancestor; ancestor = parentOf(ancestor))
    yield ancestor;
}

/** The nearest of the element and its ancestors for which `matches` is true. */
export function closest(
  element: PageElement,
  matches: (ancestor: PageElement) => boolean,
): PageElement | undefined {
  let ancestor: PageElement | undefined = element;
  while (ancestor && !matches(ancestor)) ancestor = parentOf(ancestor);
  return ancestor;
}

/** An attribute's name as in the source: `xlink:href` for a namespaced attribute. */
export const attributeName = ({ name, prefix }: { name: string; prefix?: string }) =>
  prefix ? `${prefix}:${name}` : name;

export const attributeOf = (element: PageElement, name: string): string | undefined =>
  element.attrs.find((attribute) => attributeName(attribute) === name)?.value;

/** The tokens of a space-separated attribute, such as `class`. */
export const tokensOf = (element: PageElement, name: string): string[] =>
  (attributeOf(element, name) ?? '').split(/[ \t\n\f\r]+/).filter(Boolean);

/** @param token in lower case */
export const hasToken = (element: PageElement, name: string, token: string) =>
  tokensOf(element, name).some((word) => word.toLowerCase() === token);

/** The name of a `meta` element, in lower case: `og:url`, `robots`. */
export const metaName = (meta: PageElement) =>
  (attributeOf(meta, 'property') ?? attributeOf(meta, 'name') ?? '').toLowerCase();

/** The URL in `<base href>`; undefined if the page has none. */
export const baseHref = ({ elements }: HtmlDocument): string | undefined =>
  elements
    .filter(({ tagName }) => tagName === 'base')
    .map((base) => attributeOf(base, 'href'))
    .find((href) => href !== undefined);

export const isSvg = (element: PageElement) => element.namespaceURI === html.NS.SVG;

/** All text in an element and its descendants. */
export const textContentOf = (element: PageElement): string =>
  element.childNodes
    .map((node) => (isText(node) ? node.value : isElement(node) ? textContentOf(node) : ''))
    .join('');

/** The text directly in an element, without its children's (DOM, "child text content"). */
export const childText = (element: PageElement): string =>
  element.childNodes.map((node) => (isText(node) ? node.value : '')).join('');
