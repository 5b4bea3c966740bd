import { escapeMarks as escapePlain, parsePieces } from '../../sites/pages/slots.ts';

/** The marked text of slots (sites/slots.ts) as a tree of its inline parts. */
export interface Part {
  number: number;
  /** True for `<3/>`: an element without text. */
  isVoid: boolean;
  children: Node[];
}
export type Node = string | Part;

/**
 * Reads a marked text.
 * @returns its text runs and parts, or null where parts are not properly nested
 */
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

/** The text of nodes as a reader sees it, without marks; a void part (a line break, an image) parts words, so it reads as a line break. */
export function plainOf(nodes: Node[]): string {
  return nodes.map((node) => (typeof node === 'string' ? node : node.isVoid ? '\n' : plainOf(node.children))).join('');
}

/** The visible text of a slot's marked text. */
export const plainText = (marked: string): string => plainOf(parseMarks(marked) ?? [marked]);

/** Plain text as marked text: what looks like a part is escaped. */
export const escapeMarks = (plain: string): string => formatMarks([plain]);

/** Writes nodes as marked text. */
export const formatMarks = (nodes: Node[]): string => format(nodes, false);

function format(nodes: Node[], isFollowed: boolean): string {
  const merged = mergeTexts(nodes);
  return merged
    .map((node, i) =>
      typeof node === 'string' ? formatText(node, isFollowed || i < merged.length - 1) : formatPart(node),
    )
    .join('');
}

/** Backslashes right before a part's mark would escape it, and stand doubled. */
function formatText(text: string, isFollowed: boolean): string {
  const escaped = escapePlain(text);
  return isFollowed ? escaped.replace(/(?<!\\)\\+$/, '$&$&') : escaped;
}

const formatPart = ({ number, isVoid, children }: Part): string =>
  isVoid ? `<${number}/>` : `<${number}>${format(children, true)}</${number}>`;

function mergeTexts(nodes: Node[]): Node[] {
  const merged: Node[] = [];
  for (const node of nodes) {
    const last = merged.at(-1);
    if (typeof node === 'string' && typeof last === 'string') merged[merged.length - 1] = last + node;
    else merged.push(node);
  }
  return merged;
}

/** The numbers of all parts, in document order. */
export function partNumbers(nodes: Node[]): number[] {
  return nodes.flatMap((node) => (typeof node === 'string' ? [] : [node.number, ...partNumbers(node.children)]));
}
