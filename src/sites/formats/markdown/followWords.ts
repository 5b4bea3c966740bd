import type { Nodes, Root, Text } from 'mdast';
import { indexFrom } from '../../../text/textRange.ts';
import { nodeRange } from './nodeKeys.ts';

/** What the parser reads of a page, and what it makes of it. */
export interface ParsedBody {
  /** The source with other characters in the place of front matter and template code. */
  masked: string;
  /** Only the offsets of its positions count: `followWords` keeps former lines and columns. */
  tree: Root;
}

/** Leading blank lines. Front matter is masked as such. */
const blankLines = /^(?:[ \t]*\r?\n)*/;

/**
 * A line with one text, which reads the same wherever a paragraph can begin: it begins with a
 * letter, and no sign in it means anything in Markdown, MDX or template code. Around it are only
 * the marks of quotes, lists and headings.
 */
const plainLine =
  /^([ \t>*+\-#\d.)]*)(\p{L}(?:[\p{L}\p{M}\p{N}\p{Sc} ,.;!?'"()%’‘“”–—…-]|[:&] )*(?<! ))([ \t#]*\r?)$/iu;
/** What means something without a sign. */
const meaningfulWords = /^(?:im|ex)port\b|www\./im;

/**
 * The tree of a page that differs from a parsed one only in plain texts and front matter, as a new
 * page may from its template. It is the tree that the parser would make, which takes much longer.
 * @returns null if the page differs in anything else, so that it must be parsed
 */
export function followWords({ masked, tree }: ParsedBody, newMasked: string): Root | null {
  const bodyStart = blankLines.exec(masked)![0].length;
  const newStart = blankLines.exec(newMasked)![0].length;
  const lines = masked.slice(bodyStart).split('\n');
  const newLines = newMasked.slice(newStart).split('\n');
  if (newLines.length !== lines.length) return null;
  const texts = findOnlyTexts(tree);
  const edits = [{ start: -1, end: bodyStart, text: '', shift: newStart - bodyStart }];
  let start = bodyStart;
  for (const [i, line] of lines.entries()) {
    const newLine = newLines[i]!;
    if (newLine !== line) {
      const [, marks = '', words, rest] = plainLine.exec(line) ?? [];
      const [, newMarks, text, newRest] = plainLine.exec(newLine) ?? [];
      const node = texts.get(start + marks.length);
      const isPlain = text !== undefined && !meaningfulWords.test(`${words}\n${text}`);
      if (!isPlain || newMarks !== marks || newRest !== rest || node?.value !== words) return null;
      const shift = edits.at(-1)!.shift + newLine.length - line.length;
      edits.push({ ...nodeRange(node!), text, shift });
    }
    start += line.length + 1;
  }
  const move = (offset: number) =>
    offset + (edits[indexFrom(edits, offset + 1, ({ end }) => end) - 1]?.shift ?? 0);
  const newTree = moveOffsets(tree, move);
  newTree.position!.start.offset = 0; // also before blank lines
  const newTexts = findOnlyTexts(newTree);
  for (const edit of edits.slice(1)) newTexts.get(move(edit.start))!.value = edit.text;
  return newTree;
}

/** By their offsets, the texts that are all that a heading or paragraph has. */
function findOnlyTexts(tree: Root): Map<number, Text> {
  const texts = new Map<number, Text>();
  const visit = (node: Nodes) => {
    if (!('children' in node)) return;
    const [only] = node.children;
    const isBlock = node.type === 'heading' || node.type === 'paragraph';
    if (!isBlock) node.children.forEach(visit);
    else if (node.children.length === 1 && only?.type === 'text')
      texts.set(nodeRange(only).start, only);
  };
  visit(tree);
  return texts;
}

/** Copies a tree with other offsets. */
function moveOffsets(tree: Root, move: (offset: number) => number): Root {
  const copyOf = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(copyOf);
    if (typeof value !== 'object' || value === null) return value;
    const copy: Record<string, unknown> = { ...value };
    for (const [key, inner] of Object.entries(copy))
      copy[key] = key === 'offset' && typeof inner === 'number' ? move(inner) : copyOf(inner);
    return copy;
  };
  return copyOf(tree) as Root;
}
