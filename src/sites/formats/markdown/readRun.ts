import { decodeHTMLStrict } from 'entities/decode';
import type { Nodes, PhrasingContent, Text } from 'mdast';
import { collapseSpaces, hasWords } from '../../../text/text.ts';
import { indexFrom, type TextRange } from '../../../text/textRange.ts';
import type { SourceKind } from '../rewriteSource.ts';
import type { SourceCharacter } from '../sourceCharacters.ts';
import type { RunPiece } from '../textRun.ts';
import { nodeKey, nodeRange } from './nodeKeys.ts';
import type { MarkdownPage } from './openMarkdownPage.ts';

/** A piece of running text. Parts and atoms know their nodes; template tags have none. */
export type MarkdownPiece = RunPiece & { node?: Nodes };

const partNames: Partial<Record<Nodes['type'], string>> = {
  emphasis: 'em',
  strong: 'strong',
  delete: 'del',
  link: 'a',
  linkReference: 'a',
  inlineCode: 'code',
  break: 'br',
  image: 'img',
  imageReference: 'img',
  html: 'html',
  footnoteReference: 'sup',
  mdxTextExpression: 'expression',
};

/** A character in Markdown: an escaped one, an entity, a line end, or any other. */
const characterPattern =
  /\\[!-/:-@[-`{-~]|&(?:#x[\da-f]{1,6}|#\d{1,7}|[a-z][a-z\d]{0,31});|\r\n|[^]/giu;

function readCharacters(raw: string): SourceCharacter[] {
  return Array.from(raw.matchAll(characterPattern), ([match]) => {
    return { raw: match, text: decodeCharacter(match) };
  });
}

function decodeCharacter(raw: string): string {
  if (raw.length > 1 && raw.startsWith('\\')) return raw.slice(1);
  return raw.length > 1 && raw.startsWith('&') ? decodeHTMLStrict(raw) : raw;
}

/** Characters that mean something in Markdown, HTML, JSX or template code. */
const syntax = /[\\`*_{}[\]<>#+\-.!|~&:@=^$/"']/g;
const toEntity = (character: string) => `&#${character.codePointAt(0)};`;

/** How texts are read and written. Plain: new characters as they are. */
export const plainKind: SourceKind = { read: readCharacters, escape: (text) => text };
/** New characters that may mean something as numeric entities. */
export const escapedKind: SourceKind = {
  read: readCharacters,
  escape: (text) => text.replace(syntax, toEntity),
};

/** A text as readers see it: without backslashes and entities. */
export const decodeMarkdown = (raw: string): string =>
  /[\\&]/.test(raw) ? raw.replace(characterPattern, decodeCharacter) : raw;

/**
 * Reads inline nodes as running text.
 * @returns null if the source does not read as the parser says
 */
export function readPieces(page: MarkdownPage, nodes: PhrasingContent[]): MarkdownPiece[] | null {
  const pieces: MarkdownPiece[] = [];
  for (const node of nodes) {
    const nodePieces = node.type === 'text' ? textPieces(page, node) : [readNode(page, node)];
    if (nodePieces === null || nodePieces.includes(null)) return null;
    pieces.push(...(nodePieces as MarkdownPiece[]));
  }
  return pieces;
}

function readNode(page: MarkdownPage, node: Exclude<PhrasingContent, Text>): MarkdownPiece | null {
  const range = nodeRange(node);
  const name =
    node.type === 'mdxJsxTextElement'
      ? (node.name ?? 'fragment')
      : (partNames[node.type] ?? node.type);
  const atom: MarkdownPiece = { kind: 'atom', name, node, ...range };
  if (!('children' in node) || node.children.length === 0 || !isEditable(page, node)) return atom;
  const children = readPieces(page, node.children);
  if (children === null) return null;
  if (!hasShownWords(children)) return atom;
  const open = { start: range.start, end: nodeRange(node.children[0]!).start };
  const close = { start: nodeRange(node.children.at(-1)!).end, end: range.end };
  return { kind: 'part', name, node, children, open, close, ...range };
}

/** Whether the text in a node can change alone. Addresses and labels in brackets cannot. */
function isEditable({ source }: MarkdownPage, node: Nodes): boolean {
  if (node.type === 'linkReference') return node.referenceType === 'full';
  return node.type !== 'link' || source[nodeRange(node).start] === '[';
}

/** Whether running text has words that readers see. */
export const hasShownWords = (pieces: RunPiece[]): boolean =>
  pieces.some((piece) =>
    piece.kind === 'text'
      ? hasWords(piece.value)
      : piece.kind === 'part' && hasShownWords(piece.children),
  );

/** The pieces of a text node: its lines, what stands before them, and template tags in it. */
function textPieces(page: MarkdownPage, node: Text): MarkdownPiece[] | null {
  const { start, end } = nodeRange(node);
  const pieces: MarkdownPiece[] = [];
  let position = start;
  for (const range of codeWithin(page, start, end)) {
    pieces.push(...linePieces(page, { start: position, end: range.start }));
    pieces.push({ kind: 'atom', name: 'template-tag', ...range });
    position = range.end;
  }
  pieces.push(...linePieces(page, { start: position, end }));
  const value = pieces
    .map((piece) =>
      piece.kind === 'text' ? piece.value : page.masked.slice(piece.start, piece.end),
    )
    .filter((_, i) => pieces[i]!.kind !== 'hidden')
    .join('');
  return collapse(value) === collapse(node.value) ? pieces : null;
}

const collapse = (text: string) => collapseSpaces(text).trim();

function codeWithin({ code }: MarkdownPage, start: number, end: number): TextRange[] {
  const first = indexFrom(code, start, (range) => range.start);
  return code.slice(
    first,
    indexFrom(code, end, (range) => range.start),
  );
}

/** What may stand at the start of a line: indentation, and the marks of quotes. */
const linePrefix = /^[ \t]*(?:>[ \t]*)*/;

/** The lines of a text. What stands before a line's text is hidden, except in the first line. */
function linePieces({ source }: MarkdownPage, { start, end }: TextRange): MarkdownPiece[] {
  const pieces: MarkdownPiece[] = [];
  let position = start;
  for (const line of source.slice(start, end).split(/(?<=\n|\r(?!\n))/)) {
    const prefix = position === start ? 0 : linePrefix.exec(line)![0].length;
    const textStart = position + prefix;
    const lineEnd = position + line.length;
    if (prefix > 0) pieces.push({ kind: 'hidden', start: position, end: textStart });
    if (lineEnd > textStart)
      pieces.push({
        kind: 'text',
        value: decodeMarkdown(source.slice(textStart, lineEnd)),
        start: textStart,
        end: lineEnd,
      });
    position = lineEnd;
  }
  return pieces;
}

/** What each numbered part of running text is, in order. */
export const pieceKeys = (page: MarkdownPage, pieces: MarkdownPiece[]): string[] =>
  pieces.flatMap((piece) => {
    if (piece.kind === 'text' || piece.kind === 'hidden') return [];
    const key = piece.node ? nodeKey(piece.node) : page.source.slice(piece.start, piece.end);
    return [key, ...(piece.kind === 'part' ? pieceKeys(page, piece.children) : [])];
  });
