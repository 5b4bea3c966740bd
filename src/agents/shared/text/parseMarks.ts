import { joinPieces, parsePieces, type TextPiece } from '../../../sites/pages/texts/slotText.ts';

/**
 * Texts with marks. A slot's text has numbered marks in place of inline elements:
 * `Call <a href="tel:1">us</a><br>` has the marked text `Call <1>us</1><2/>`, and the plain text
 * `Call us\n`. Each such element is a part of the text.
 *
 * Other files of this folder:
 * - `fitText.ts` puts a new text into a marked text, and `replaceInSlot.ts` replaces spans of one.
 * - `textSpans.ts`, `alignWords.ts` and `foldText.ts` find and compare words.
 * - `moneyAmounts.ts` reads sums of money. `letterCase.ts` adapts upper and lower case.
 * - `findJunk.ts`, `removeMarkup.ts` and `cleanModelText.ts` clean texts of callers and models.
 */

export { plainText } from '../../../sites/pages/texts/slotText.ts';

/** An inline element of a slot's marked text (sites/pages/texts/slotText.ts), with its content. */
export interface InlinePart {
  number: number;
  /** True for `<3/>`: an element without text, such as a line break. */
  isVoid: boolean;
  children: MarkedNode[];
}
export type MarkedNode = string | InlinePart;

/** Parses a marked text into a tree. Returns null if its parts are not properly nested. */
export function parseMarks(marked: string): MarkedNode[] | null {
  const root: InlinePart = { number: 0, isVoid: false, children: [] };
  const openParts = [root];
  for (const piece of parsePieces(marked)) {
    const { children } = openParts.at(-1)!;
    if (piece.kind === 'text') children.push(piece.text);
    else if (piece.kind === 'close') {
      if (openParts.length === 1 || openParts.pop()!.number !== piece.part) return null;
    } else {
      const part: InlinePart = { number: piece.part, isVoid: piece.kind === 'void', children: [] };
      children.push(part);
      if (!part.isVoid) openParts.push(part);
    }
  }
  return openParts.length === 1 ? root.children : null;
}

/**
 * The text of nodes without marks. A void part, such as a line break or an image, becomes a line
 * break, so that the words beside it stay apart.
 */
export function readPlainText(nodes: MarkedNode[]): string {
  return nodes
    .map((node) =>
      typeof node === 'string' ? node : node.isVoid ? '\n' : readPlainText(node.children),
    )
    .join('');
}

/** Serializes nodes as marked text. */
export const formatMarks = (nodes: MarkedNode[]): string => joinPieces(createPieces(nodes));

function createPieces(nodes: MarkedNode[]): TextPiece[] {
  return mergeTextNodes(nodes).flatMap((node): TextPiece[] => {
    if (typeof node === 'string') return [{ kind: 'text', text: node }];
    const { number: part, isVoid, children } = node;
    return isVoid
      ? [{ kind: 'void', part }]
      : [{ kind: 'open', part }, ...createPieces(children), { kind: 'close', part }];
  });
}

function mergeTextNodes(nodes: MarkedNode[]): MarkedNode[] {
  const mergedNodes: MarkedNode[] = [];
  for (const node of nodes) {
    const previousNode = mergedNodes.at(-1);
    if (typeof node === 'string' && typeof previousNode === 'string')
      mergedNodes[mergedNodes.length - 1] = previousNode + node;
    else mergedNodes.push(node);
  }
  return mergedNodes;
}

/** The numbers of all parts, in document order. */
export function listPartNumbers(nodes: MarkedNode[]): number[] {
  return nodes.flatMap((node) =>
    typeof node === 'string' ? [] : [node.number, ...listPartNumbers(node.children)],
  );
}
