import { parseFragment, type DefaultTreeAdapterTypes as Tree } from 'parse5';
import {
  attributeOf,
  isElement,
  isText,
  isSvg,
  type PageElement,
  type HtmlDocument,
  type PageNode,
} from '../document.ts';
import type { TextRange } from '../../../../text/textRange.ts';
import { hasWords } from '../../../../text/text.ts';

/**
 * A piece of running text: words, a part with text in it, an atom (a line break, an image, a button
 * …), or something invisible.
 */
export type InlinePiece = TextRange &
  (
    | { kind: 'text'; value: string }
    | { kind: 'hidden' }
    | { kind: 'atom'; name: string; element: PageElement }
    | {
        kind: 'part';
        name: string;
        element: PageElement;
        children: InlinePiece[];
        open: TextRange;
        close: TextRange;
      }
  );

const tagSet = (list: string) => new Set(list.split(' '));
const phrasingTags = tagSet(
  'a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q rb rp rt ruby s samp small span strike strong sub sup time tt u var',
);
const atomTags = tagSet(
  'br wbr img input svg button select textarea picture audio video canvas object embed iframe math meter progress map area',
);
const hiddenTags = tagSet('script style template noscript link meta');
const voidTags = tagSet('br wbr img input embed area link meta');
/** Atoms whose texts are slots of their own. */
const islandTags = tagSet('button select svg picture map');

/**
 * Reads a node as running text: text with inline tags in it, as a paragraph has.
 * @param islands receives the atoms whose texts are slots of their own
 * @returns null for a node that ends running text: a block, an element without both tags, text in
 *   an unexpected place
 */
export function readInline(
  page: HtmlDocument,
  node: PageNode,
  islands: PageElement[],
): InlinePiece[] | null {
  const location = node.sourceCodeLocation;
  if (!location) return null;
  const range = { start: location.startOffset, end: location.endOffset };
  if (isText(node)) return textPieces(page, node, range);
  const code = page.code.get(range.start);
  if (code?.element && node.nodeName === '#comment')
    return [{ kind: 'atom', name: 'template-tag', element: code.element, ...range }];
  if (!isElement(node)) return node.nodeName === '#comment' ? [{ kind: 'hidden', ...range }] : null;
  const isComplete = voidTags.has(node.tagName) || node.sourceCodeLocation?.endTag !== undefined;
  if (hiddenTags.has(node.tagName)) {
    // a shadow root, or what browsers show without scripts
    if (node.childNodes.some(isElement)) islands.push(node);
    return isComplete ? [{ kind: 'hidden', ...range }] : null;
  }
  if (atomTags.has(node.tagName)) {
    if (islandTags.has(node.tagName)) islands.push(node);
    return isComplete || isSvg(node)
      ? [{ kind: 'atom', name: node.tagName, element: node, ...range }]
      : null;
  }
  return phrasingTags.has(node.tagName) && !isSvg(node)
    ? readInlinePart(page, node, islands)
    : null;
}

function readInlinePart(
  page: HtmlDocument,
  element: PageElement,
  islands: PageElement[],
): InlinePiece[] | null {
  const { startTag, endTag, startOffset: start, endOffset: end } = element.sourceCodeLocation ?? {};
  if (!startTag || !endTag || start === undefined || end === undefined) return null;
  const innerIslands: PageElement[] = [];
  const children: InlinePiece[] = [];
  let position = startTag.endOffset;
  for (const child of element.childNodes) {
    const pieces = readInline(page, child, innerIslands);
    const hiddenPieces = pieces && hiddenBetween(page, position, pieces[0]?.start);
    if (!hiddenPieces) return null;
    children.push(...hiddenPieces, ...pieces);
    position = children.at(-1)?.end ?? position;
  }
  const hiddenTail = hiddenBetween(page, position, endTag.startOffset);
  if (!hiddenTail) return null;
  children.push(...hiddenTail);
  islands.push(...innerIslands);
  if (!hasVisibleWords(children) || isNamedIcon(element))
    return [{ kind: 'atom', name: element.tagName, element, start, end }];
  const open = { start, end: startTag.endOffset };
  const close = { start: endTag.startOffset, end };
  return [{ kind: 'part', name: element.tagName, element, children, open, close, start, end }];
}

/** Whether an icon font draws the element's text as a picture, as that of Material Icons does. */
const isNamedIcon = (element: PageElement) =>
  /(?:^|\s)material-(?:icons|symbols)(?:[\s-]|$)/.test(attributeOf(element, 'class') ?? '');

/** Whether running text has words that readers see. */
export const hasVisibleWords = (list: InlinePiece[]): boolean =>
  list.some((piece) =>
    piece.kind === 'text'
      ? hasWords(piece.value)
      : piece.kind === 'part' && hasVisibleWords(piece.children),
  );

/**
 * Matches a tag that the parser ignored. Apply it only up to the last `>` of a text. After that,
 * each `<` would be searched to the end.
 */
const strayTag = /<(?:\/?[a-zA-Z][^>]*|[!?/][^>]*)>/g;

/** The pieces between two pieces of running text: none, or ignored tags; null for anything else. */
export function hiddenBetween(
  { source }: HtmlDocument,
  start: number,
  end = start,
): InlinePiece[] | null {
  if (start === end) return [];
  const isIgnored =
    start < end && source[end - 1] === '>' && source.slice(start, end).replace(strayTag, '') === '';
  return isIgnored ? [{ kind: 'hidden', start, end }] : null;
}

/** The pieces of a text node. Tags in it that the parser ignored become hidden pieces. */
function textPieces(
  { source }: HtmlDocument,
  node: Tree.TextNode,
  range: TextRange,
): InlinePiece[] | null {
  const rawText = source.slice(range.start, range.end);
  if (!/<[a-zA-Z/!?]/.test(rawText))
    return readsAs(rawText, node.value) ? [{ kind: 'text', value: node.value, ...range }] : null;
  const pieces: InlinePiece[] = [];
  let end = 0;
  const addText = (textEnd: number) => {
    if (textEnd > end)
      pieces.push({
        kind: 'text',
        value: decodeText(rawText.slice(end, textEnd)),
        start: range.start + end,
        end: range.start + textEnd,
      });
  };
  for (const { index, 0: tag } of rawText
    .slice(0, rawText.lastIndexOf('>') + 1)
    .matchAll(strayTag)) {
    addText(index);
    end = index + tag.length;
    pieces.push({ kind: 'hidden', start: range.start + index, end: range.start + end });
  }
  addText(rawText.length);
  const value = pieces.map((piece) => (piece.kind === 'text' ? piece.value : '')).join('');
  return value === node.value ? pieces : null;
}

/**
 * Whether a source range reads as `value`. The parser gives wrong positions for some texts that
 * start with a character reference.
 */
function readsAs(rawText: string, value: string): boolean {
  const normalized = rawText.replace(/\r\n?/g, '\n');
  const decoded = /[&\0]/.test(normalized) ? decodeText(normalized) : normalized;
  return decoded === value || decoded === `\n${value}`;
}

const decodeText = (rawText: string) =>
  parseFragment(rawText)
    .childNodes.map((node) => (isText(node) ? node.value : ''))
    .join('');
