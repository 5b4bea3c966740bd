import { joinPieces, parsePieces, type Piece } from '../../sites/pages/slotText.ts';

export { plainText } from '../../sites/pages/slotText.ts';

/** An inline element of a slot's marked text (sites/pages/slotText.ts), with its content. */
export interface Part {
  number: number;
  /** True for `<3/>`: an element without text, such as a line break. */
  isVoid: boolean;
  children: Node[];
}
export type Node = string | Part;

/** Parses a marked text into a tree. Returns null if its parts are not properly nested. */
export function parseMarks(marked: string): Node[] | null {
  const root: Part = { number: 0, isVoid: false, children: [] };
  const open = [root];
  for (const piece of parsePieces(marked)) {
    const { children } = open.at(-1)!;
    if (piece.kind === 'text') children.push(piece.text);
    else if (piece.kind === 'close') {
      if (open.length === 1 || open.pop()!.number !== piece.part) return null;
    } else {
      const part: Part = { number: piece.part, isVoid: piece.kind === 'void', children: [] };
      children.push(part);
      if (!part.isVoid) open.push(part);
    }
  }
  return open.length === 1 ? root.children : null;
}

/**
 * The text of nodes without marks. A void part, such as a line break or an image, becomes a line
 * break, so that the words beside it stay apart.
 */
export function plainOf(nodes: Node[]): string {
  return nodes
    .map((node) => (typeof node === 'string' ? node : node.isVoid ? '\n' : plainOf(node.children)))
    .join('');
}

/** Serializes nodes as marked text. */
export const formatMarks = (nodes: Node[]): string => joinPieces(piecesOf(nodes));

function piecesOf(nodes: Node[]): Piece[] {
  return mergeTexts(nodes).flatMap((node): Piece[] => {
    if (typeof node === 'string') return [{ kind: 'text', text: node }];
    const { number: part, isVoid, children } = node;
    return isVoid
      ? [{ kind: 'void', part }]
      : [{ kind: 'open', part }, ...piecesOf(children), { kind: 'close', part }];
  });
}

function mergeTexts(nodes: Node[]): Node[] {
  const merged: Node[] = [];
  for (const node of nodes) {
    const last = merged.at(-1);
    if (typeof node === 'string' && typeof last === 'string')
      merged[merged.length - 1] = last + node;
    else merged.push(node);
  }
  return merged;
}

/** The numbers of all parts, in document order. */
export function partNumbers(nodes: Node[]): number[] {
  return nodes.flatMap((node) =>
    typeof node === 'string' ? [] : [node.number, ...partNumbers(node.children)],
  );
}
