/** The marked text of slots (format.ts): plain text with numbered inline parts, as a tree. */

export interface Part {
  number: number;
  /** True for `<3/>`: an element that never has content. */
  isVoid: boolean;
  children: Node[];
}
export type Node = string | Part;

const MARK = /\\<(?=\/?\d+\/?>)|<(\/?)(\d+)(\/?)>/g;

/**
 * Reads a marked text.
 * @returns its text runs (unescaped) and parts, or null where parts are not properly nested
 */
export function parseMarks(marked: string): Node[] | null {
  const root: Part = { number: 0, isVoid: false, children: [] };
  const open = [root];
  let from = 0;
  for (const match of marked.matchAll(MARK)) {
    addText(open.at(-1)!, marked.slice(from, match.index));
    from = match.index + match[0].length;
    const [mark, slash, digits, end] = match;
    const part = { number: Number(digits), isVoid: end === '/', children: [] };
    if (mark === '\\<') addText(open.at(-1)!, '<');
    else if (slash) {
      if (open.length === 1 || open.pop()!.number !== part.number) return null;
    } else {
      open.at(-1)!.children.push(part);
      if (!part.isVoid) open.push(part);
    }
  }
  addText(open.at(-1)!, marked.slice(from));
  return open.length === 1 ? root.children : null;
}

function addText({ children }: Part, text: string) {
  if (text === '') return;
  const last = children.at(-1);
  if (typeof last === 'string') children[children.length - 1] = last + text;
  else children.push(text);
}

/** The text of nodes as a reader sees it, without marks; a void part (a line break, an image) parts words, so it reads as a line break. */
export function plainOf(nodes: Node[]): string {
  return nodes.map((node) => (typeof node === 'string' ? node : node.isVoid ? '\n' : plainOf(node.children))).join('');
}

/** The visible text of a slot's marked text. */
export const plainText = (marked: string): string => plainOf(parseMarks(marked) ?? [marked]);

/** Plain text as marked text: what looks like a part is escaped. */
export const escapeMarks = (plain: string): string => plain.replace(/<(?=\/?\d+\/?>)/g, '\\<');

/** Writes nodes as marked text. */
export function formatMarks(nodes: Node[]): string {
  return nodes.map((node) => (typeof node === 'string' ? escapeMarks(node) : formatPart(node))).join('');
}

function formatPart({ number, isVoid, children }: Part): string {
  return isVoid ? `<${number}/>` : `<${number}>${formatMarks(children)}</${number}>`;
}

/** The numbers of all parts, in document order. */
export function partNumbers(nodes: Node[]): number[] {
  return nodes.flatMap((node) => (typeof node === 'string' ? [] : [node.number, ...partNumbers(node.children)]));
}
