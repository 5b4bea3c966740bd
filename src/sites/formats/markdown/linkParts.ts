import type { Definition, Image, Link } from 'mdast';
import type { TextRange } from '../../../text/textRange.ts';
import { nodeRange } from './nodeKeys.ts';
import type { MarkdownPage } from './openMarkdownPage.ts';
import { decodeMarkdown } from './readRun.ts';

/** A link's target after `](`, in angle brackets or up to the next space. */
const targetPattern = /^\s*(<(?:[^<>\\\n]|\\.)*>|[^\s<]\S*|)/;
const definitionPattern = /^\[(?:[^[\]\\]|\\[^])+\]:/;

/**
 * The source range of a link's or image's target.
 * @returns undefined if it is written in another way: without brackets, or by a reference
 */
export function targetRange(
  page: MarkdownPage,
  node: Link | Image | Definition,
): TextRange | undefined {
  const { source } = page;
  const { start, end } = nodeRange(node);
  const [from, to] =
    node.type === 'definition'
      ? [start + (definitionPattern.exec(source.slice(start, end))?.[0].length ?? end), end]
      : [textEnd(page, node) + 2, end - 1];
  if (node.type !== 'definition' && source.slice(from - 2, from) !== '](') return undefined;
  if (from > to) return undefined;
  const match = targetPattern.exec(source.slice(from, to));
  const target = match?.[1];
  if (target === undefined) return undefined;
  const targetStart = from + match![0].length - target.length;
  const isBracketed = target.startsWith('<');
  const range = isBracketed
    ? { start: targetStart + 1, end: targetStart + target.length - 1 }
    : { start: targetStart, end: targetStart + target.length };
  const masked = page.masked.slice(range.start, range.end);
  return decodeMarkdown(masked) === node.url ? range : undefined;
}

/** Where the text of a link or image ends, before `]`. */
function textEnd(page: MarkdownPage, node: Link | Image): number {
  if (node.type === 'image') return altRange(page, node)?.end ?? -1;
  const last = node.children.at(-1);
  return last ? nodeRange(last).end : nodeRange(node).start + 1;
}

/**
 * The source range of an image's alternative text.
 * @returns undefined if it has Markdown in it
 */
export function altRange({ source, masked }: MarkdownPage, node: Image): TextRange | undefined {
  const start = nodeRange(node).start + 2;
  const text = /^(?:[^[\]\\`]|\\[^])*/.exec(source.slice(start, nodeRange(node).end))?.[0] ?? '';
  const end = start + text.length;
  const isPlain =
    source[end] === ']' && decodeMarkdown(masked.slice(start, end)) === (node.alt ?? '');
  return isPlain ? { start, end } : undefined;
}
