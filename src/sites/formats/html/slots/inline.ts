import { parseFragment, type DefaultTreeAdapterTypes as Tree } from 'parse5';
import {
  isElement,
  isText,
  isSvg,
  type Element,
  type HtmlDocument,
  type Node,
} from '../document.ts';
import type { Range } from '../../../../text/range.ts';
import { hasWords } from '../../../../text/text.ts';

/**
 * A piece of running text: words, a part with text in it, an atom (a line break, an image, a button
 * …), or something invisible.
 */
export type Inline = Range &
  (
    | { kind: 'text'; value: string }
    | { kind: 'hidden' }
    | { kind: 'atom'; element: Element; isCode?: true }
    | { kind: 'part'; element: Element; children: Inline[]; open: Range; close: Range }
  );

const names = (list: string) => new Set(list.split(' '));
const phrasing = names(
  'a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q rb rp rt ruby s samp small span strike strong sub sup time tt u var',
);
const atoms = names(
  'br wbr img input svg button select textarea picture audio video canvas object embed iframe math meter progress map area',
);
const hidden = names('script style template noscript link meta');
const voids = names('br wbr img input embed area link meta');
/** Atoms whose texts are slots of their own. */
const islands = names('button select svg picture map');

/**
 * Reads a node as running text.
 * @param found receives the atoms whose texts are slots of their own
 * @returns null for a node that ends running text: a block, an element without both tags, text in
 *   an unexpected place
 */
export function inlineOf(page: HtmlDocument, node: Node, found: Element[]): Inline[] | null {
  const place = node.sourceCodeLocation;
  if (!place) return null;
  const range = { start: place.startOffset, end: place.endOffset };
  if (isText(node)) return textPieces(page, node, range);
  const code = page.code.get(range.start);
  if (code?.element && node.nodeName === '#comment')
    return [{ kind: 'atom', element: code.element, isCode: true, ...range }];
  if (!isElement(node)) return node.nodeName === '#comment' ? [{ kind: 'hidden', ...range }] : null;
  const complete = voids.has(node.tagName) || node.sourceCodeLocation?.endTag !== undefined;
  if (hidden.has(node.tagName)) {
    // a shadow root, or what browsers show without scripts
    if (node.childNodes.some(isElement)) found.push(node);
    return complete ? [{ kind: 'hidden', ...range }] : null;
  }
  if (atoms.has(node.tagName)) {
    if (islands.has(node.tagName)) found.push(node);
    return complete || isSvg(node) ? [{ kind: 'atom', element: node, ...range }] : null;
  }
  return phrasing.has(node.tagName) && !isSvg(node) ? partOf(page, node, found) : null;
}

function partOf(page: HtmlDocument, element: Element, found: Element[]): Inline[] | null {
  const { startTag, endTag, startOffset: start, endOffset: end } = element.sourceCodeLocation ?? {};
  if (!startTag || !endTag || start === undefined || end === undefined) return null;
  const inside: Element[] = [];
  const children: Inline[] = [];
  let position = startTag.endOffset;
  for (const child of element.childNodes) {
    const inline = inlineOf(page, child, inside);
    const between = inline && hiddenBetween(page, position, inline[0]?.start);
    if (!between) return null;
    children.push(...between, ...inline);
    position = children.at(-1)?.end ?? position;
  }
  const last = hiddenBetween(page, position, endTag.startOffset);
  if (!last) return null;
  children.push(...last);
  found.push(...inside);
  if (!readable(children)) return [{ kind: 'atom', element, start, end }];
  const open = { start, end: startTag.endOffset };
  const close = { start: endTag.startOffset, end };
  return [{ kind: 'part', element, children, open, close, start, end }];
}

/** Whether running text has words that readers see. */
export const readable = (list: Inline[]): boolean =>
  list.some((piece) =>
    piece.kind === 'text'
      ? hasWords(piece.value)
      : piece.kind === 'part' && readable(piece.children),
  );

/**
 * Apply it only up to the last `>` of a text. After that, each `<` would be searched to the end.
 */
const strayTag = /<(?:\/?[a-zA-Z][^>]*|[!?/][^>]*)>/g;

/** The pieces between two pieces of running text: none, or ignored tags; null for anything else. */
export function hiddenBetween(
  { source }: HtmlDocument,
  start: number,
  end = start,
): Inline[] | null {
  if (start === end) return [];
  const isIgnored =
    start < end && source[end - 1] === '>' && source.slice(start, end).replace(strayTag, '') === '';
  return isIgnored ? [{ kind: 'hidden', start, end }] : null;
}

/** The pieces of a text node. Tags in it that the parser ignored become hidden pieces. */
function textPieces({ source }: HtmlDocument, node: Tree.TextNode, range: Range): Inline[] | null {
  const raw = source.slice(range.start, range.end);
  if (!/<[a-zA-Z/!?]/.test(raw))
    return reads(raw, node.value) ? [{ kind: 'text', value: node.value, ...range }] : null;
  const pieces: Inline[] = [];
  let end = 0;
  const addText = (to: number) => {
    if (to > end)
      pieces.push({
        kind: 'text',
        value: decode(raw.slice(end, to)),
        start: range.start + end,
        end: range.start + to,
      });
  };
  for (const { index, 0: tag } of raw.slice(0, raw.lastIndexOf('>') + 1).matchAll(strayTag)) {
    addText(index);
    end = index + tag.length;
    pieces.push({ kind: 'hidden', start: range.start + index, end: range.start + end });
  }
  addText(raw.length);
  const value = pieces.map((piece) => (piece.kind === 'text' ? piece.value : '')).join('');
  return value === node.value ? pieces : null;
}

/**
 * Whether a source range reads as `value`. The parser gives wrong positions for some texts that
 * start with a character reference.
 */
function reads(raw: string, value: string): boolean {
  const plain = raw.replace(/\r\n?/g, '\n');
  const read = /[&\0]/.test(plain) ? decode(plain) : plain;
  return read === value || read === `\n${value}`;
}

const decode = (raw: string) =>
  parseFragment(raw)
    .childNodes.map((node) => (isText(node) ? node.value : ''))
    .join('');
