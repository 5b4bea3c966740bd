import { defaultTreeAdapter, html, parse } from 'parse5';
import type { DefaultTreeAdapterTypes as Tree } from 'parse5';
import { LRUCache } from 'lru-cache';
import { limits } from '../../../contract/task.ts';
import { DomainError } from '../../../errors.ts';
import { createParseErrors, type ParseFault } from './parseErrors.ts';

export type Element = Tree.Element;
export type Node = Tree.ChildNode;

/**
 * A parsed page. `source` is without its byte order mark, which is in `bom`; positions count UTF-16
 * units of `source`.
 */
export interface HtmlDocument {
  bom: string;
  source: string;
  root: Tree.Document;
  /**
   * Every element in document order with its number: texts and addresses can change without
   * changing one. Where groups of a template were changed, the number is the template's, with `+n`
   * in the nth clone.
   */
  numbers: ReadonlyMap<Element, string>;
  /**
   * Errors of the HTML standard, by their code and the tag that they stand at: of several with one
   * key the first.
   */
  errors: ReadonlyMap<string, ParseFault>;
}

const MAX_DEPTH = 500;

/**
 * Characters of pages that stay parsed, in each thread: a step reads the same pages again and
 * again.
 */
const PARSED_CHARACTERS = 1_000_000;
const parsed = new LRUCache<string, HtmlDocument>({
  maxSize: PARSED_CHARACTERS,
  sizeCalculation: (_, text) => text.length + 1,
});

/**
 * A page with the position of everything in it. Nobody changes it: the same text gives the same
 * document.
 * @throws LIMIT_EXCEEDED for a page over 2 MB or nested deeper than 500 elements
 */
export function parseDocument(text: string): HtmlDocument {
  const known = parsed.get(text);
  if (known) return known;
  const page = parsePage(text);
  parsed.set(text, page);
  return page;
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
  const treeAdapter = { ...defaultTreeAdapter, ...depthLimit() };
  const { errors, take } = createParseErrors(source);
  const root = parse(source, { sourceCodeLocationInfo: true, treeAdapter, onParseError: take });
  const numbers = new Map<Element, string>();
  for (const element of descendants(root)) numbers.set(element, String(numbers.size));
  return { bom, source, root, numbers, errors };
}

function depthLimit() {
  let depth = 0;
  return {
    onItemPush: () => {
      if (++depth > MAX_DEPTH)
        throw new DomainError(
          'LIMIT_EXCEEDED',
          `The page nests elements deeper than ${MAX_DEPTH} levels`,
        );
    },
    onItemPop: () => void depth--,
  };
}

export const isElement = (node: Tree.Node): node is Element => 'tagName' in node;
export const isText = (node: Tree.Node): node is Tree.TextNode => node.nodeName === '#text';

/** Elements below `node` in document order, without the contents of `template`. */
export function* descendants(node: Tree.ParentNode): Generator<Element> {
  const waiting = node.childNodes.filter(isElement).reverse();
  for (let element = waiting.pop(); element; element = waiting.pop()) {
    yield element;
    for (const child of element.childNodes.toReversed()) if (isElement(child)) waiting.push(child);
  }
}

/** An element and the elements around it, from the inside out. */
export function* ancestors(element: Element): Generator<Element> {
  for (let node: Tree.ParentNode | null = element; node && isElement(node); node = node.parentNode)
    yield node;
}

/** The first of an element and the elements around it that is asked for. */
export function closest(
  element: Element,
  isAsked: (around: Element) => boolean,
): Element | undefined {
  for (let node: Tree.ParentNode | null = element; node && isElement(node); node = node.parentNode)
    if (isAsked(node)) return node;
  return undefined;
}

/** Name as written in the source: `xlink:href` for a namespaced attribute. */
const nameOf = ({ name, prefix }: { name: string; prefix?: string }) =>
  prefix ? `${prefix}:${name}` : name;

export const attributeOf = (element: Element, name: string): string | undefined =>
  element.attrs.find((attribute) => nameOf(attribute) === name)?.value;

export const hasToken = (element: Element, name: string, token: string) =>
  (attributeOf(element, name) ?? '').toLowerCase().split(/\s+/).includes(token);

/** Whether an attribute that is a list has one of these words at least, and no other. */
export function hasOnlyTokens(element: Element, name: string, tokens: string[]): boolean {
  const words = (attributeOf(element, name) ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  return words.length > 0 && words.every((word) => tokens.includes(word));
}

/** What the content of a `meta` element is, in lower case: `og:url`, `robots`. */
export const metaName = (meta: Element) =>
  (attributeOf(meta, 'property') ?? attributeOf(meta, 'name') ?? '').toLowerCase();

/** The address of `<base href>`, undefined where the page has none. */
export const baseHref = ({ numbers }: HtmlDocument): string | undefined =>
  [...numbers.keys()]
    .filter(({ tagName }) => tagName === 'base')
    .map((base) => attributeOf(base, 'href'))
    .find((href) => href !== undefined);

export const isSvg = (element: Element) => element.namespaceURI === html.NS.SVG;

/** All text below an element. */
export const textOf = (element: Element): string =>
  element.childNodes
    .map((node) => (isText(node) ? node.value : isElement(node) ? textOf(node) : ''))
    .join('');

/**
 * The texts that stand directly in an element, as browsers read scripts and style rules (DOM,
 * "child text content").
 */
export const childText = (element: Element): string =>
  element.childNodes.map((node) => (isText(node) ? node.value : '')).join('');
