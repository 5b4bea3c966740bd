import type { Nodes, Root, Text } from 'mdast';
import type { Point, Position } from 'unist';
import { indexFrom, type TextRange } from '../../../text/textRange.ts';
import { nodeRange } from './nodeKeys.ts';

/** What the parser reads of a page, and what it makes of it. */
export interface ParsedBody {
  /** The source with other characters in the place of front matter and template code. */
  masked: string;
  /** Only the offsets of its positions count: `followWords` keeps former lines and columns. */
  tree: Root;
}

/**
 * Texts that read the same wherever a paragraph can begin: they begin with a letter, and no sign in
 * them means anything in Markdown, MDX or template code.
 */
const plainText =
  /^(?!(?:im|ex)port\b|.*www\.)\p{L}(?:[\p{L}\p{M}\p{N}\p{Sc} ,.;!?'"()%’‘“”–—…-]|[:&] )*(?<! )$/iu;
/** What may stand around them in their line: the marks of quotes, lists and headings. */
const linePrefix = /^[ \t>*+\-#\d.)]*$/;
const lineSuffix = /^[ \t#]*\r?$/;

/** Leading blank lines. Front matter is read as such. */
const blankLines = /^(?:[ \t]*\r?\n)*/;

/** A new text, and how far everything from its end to the next one moves. */
interface WordEdit extends TextRange {
  text: string;
  shift: number;
}

/**
 * The tree of a page that differs from a parsed one only in plain texts and front matter, as a new
 * page may from its template. It is the tree that the parser would make, which takes much longer.
 * @returns null if the page differs in anything else, so that it must be parsed
 */
export function followWords({ masked, tree }: ParsedBody, newMasked: string): Root | null {
  let lineStart = blankLines.exec(masked)![0].length;
  const newStart = blankLines.exec(newMasked)![0].length;
  const lines = masked.slice(lineStart).split('\n');
  const newLines = newMasked.slice(newStart).split('\n');
  if (newLines.length !== lines.length) return null;
  const texts = listOnlyTexts(tree);
  let shift = newStart - lineStart;
  const edits: WordEdit[] = [{ start: -1, end: lineStart, text: '', shift }];
  for (const [i, line] of lines.entries()) {
    const newLine = newLines[i]!;
    if (newLine !== line) {
      const node = texts[indexFrom(texts, lineStart, (text) => nodeRange(text).start)];
      const text = node && newTextOf(node, { lineStart, line, newLine });
      if (text === undefined) return null;
      shift += newLine.length - line.length;
      edits.push({ ...nodeRange(node!), text, shift });
    }
    lineStart += line.length + 1;
  }
  return moveTree(tree, edits);
}

/** The texts that are all that a heading or paragraph has, in order. */
function listOnlyTexts(node: Nodes): Text[] {
  if (!('children' in node)) return [];
  if (node.type !== 'heading' && node.type !== 'paragraph')
    return node.children.flatMap(listOnlyTexts);
  const [only] = node.children;
  return node.children.length === 1 && only?.type === 'text' ? [only] : [];
}

/** What a line has in the place of a text; undefined if it differs in anything else. */
function newTextOf(
  node: Text,
  { lineStart, line, newLine }: { lineStart: number; line: string; newLine: string },
): string | undefined {
  const { start, end } = nodeRange(node);
  const prefix = line.slice(0, start - lineStart);
  const suffix = line.slice(end - lineStart);
  const text = newLine.slice(prefix.length, newLine.length - suffix.length);
  const isEqual = prefix + node.value + suffix === line && prefix + text + suffix === newLine;
  const isPlain = plainText.test(node.value) && plainText.test(text);
  const isAlone = linePrefix.test(prefix) && lineSuffix.test(suffix);
  return isEqual && isPlain && isAlone ? text : undefined;
}

/** Copies a tree with other texts, and with everything where it is then. */
function moveTree(tree: Root, edits: WordEdit[]): Root {
  const newTexts = new Map(edits.map(({ start, text }) => [start, text]));
  const movePoint = ({ offset = 0, ...point }: Point) => {
    const edit = edits[indexFrom(edits, offset + 1, ({ end }) => end) - 1];
    return { ...point, offset: offset + (edit?.shift ?? 0) };
  };
  const move = <Placed extends { position?: Position | undefined }>(placed: Placed) => {
    const { start, end } = placed.position!;
    return { ...placed, position: { start: movePoint(start), end: movePoint(end) } };
  };
  const moveNode = (node: Nodes): Nodes => {
    const copy = move(node);
    if (copy.type === 'text') copy.value = newTexts.get(nodeRange(node).start) ?? copy.value;
    if ('children' in copy) copy.children = copy.children.map(moveNode) as never;
    if ('name' in copy && Array.isArray(copy.attributes))
      copy.attributes = copy.attributes.map(move);
    return copy;
  };
  return moveNode(tree) as Root;
}
