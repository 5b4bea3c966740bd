import {
  absolutePath,
  folderOf,
  joinReference,
  parseReference,
  relativePath,
} from '../../sites/pages/urls.ts';
import type { Range } from '../../text/range.ts';
import { plainMarks } from '../text/fold.ts';
import { currentMarks } from './currentMarks.ts';

/**
 * A piece of markup without regard to white space. `starts` and `ends` say where each of its
 * characters stands in the source.
 */
export interface NormalForm {
  text: string;
  starts: number[];
  ends: number[];
}

/** The folder of a page's file, to which its relative addresses belong: `/services/`. */
export const folderAt = (path: string): string => folderOf(`/${path}`);

/**
 * Makes the normal form of markup: each run of white space is one space, and none beside a
 * tag; quotation marks and hyphens are those of a keyboard.
 * @param folder if given, a relative address reads as the absolute one, and what marks the link to
 *   the current page is left out, so that pages can be compared
 */
export function normalForm(markup: string, folder?: string): NormalForm {
  const form: NormalForm = { text: '', starts: [], ends: [] };
  const parts: string[] = [];
  const add = (text: string, start: number, end: number) => {
    parts.push(text);
    for (let i = 0; i < text.length; i++) {
      form.starts.push(start);
      form.ends.push(end);
    }
  };
  const pieces = folder === undefined ? [] : ownPieces(markup, folder);
  const typed = plainMarks(markup);
  let next = 0;
  for (let at = 0; at < markup.length;) {
    while (next < pieces.length && pieces[next]!.start < at) next++;
    const piece = pieces[next];
    if (piece?.start === at) {
      if (piece.text !== '') add(piece.text, at, piece.end);
      else if (form.ends.length > 0) form.ends[form.ends.length - 1] = piece.end;
      at = piece.end;
    } else if (isSpace(markup, at)) {
      let end = at + 1;
      while (end < markup.length && isSpace(markup, end)) end++;
      if (!isBesideTag(markup, at, end)) add(' ', at, end);
      at = end;
    } else {
      add(typed[at]!, at, at + 1);
      at++;
    }
  }
  return { ...form, text: parts.join('') };
}

/** A piece of markup that differs between pages, and how it reads on all of them. */
interface OwnPiece extends Range {
  text: string;
}

const ownPieces = (markup: string, folder: string): OwnPiece[] =>
  [
    ...relativeAddresses(markup).map(({ start, end }) => ({
      start,
      end,
      text: absoluteOf(markup.slice(start, end), folder),
    })),
    ...currentMarks(markup).map((range) => ({ ...range, text: '' })),
  ].sort((a, b) => a.start - b.start);

/** Whether a character is white space, or a no-break space, which models read as a space. */
function isSpace(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code <= 32 ? ' \n\t\r\f'.includes(text[at]!) : code === 0xa0 || code === 0x202f;
}

const isBesideTag = (markup: string, start: number, end: number) =>
  markup[start - 1] === '>' ||
  markup[end] === '<' ||
  markup[end] === '>' ||
  (markup[end] === '/' && markup[end + 1] === '>');

const IN_ATTRIBUTE =
  /(?<!\S)(?:href|src|action|formaction|poster|cite|xlink:href|data-src|data-href|data-bg|data-background)\s*=\s*(?:(["'])([^"'<>]+)\1|([^\s"'<>`=]+))/gi;
/** Other attributes whose value is the name of a file. */
const FILE_IN_ATTRIBUTE =
  /(?<!\S)(?:content|data-[\w-]+)\s*=\s*(["']?)((?:[\w.-]+\/)*[\w.-]+\.(?:html?|css|m?js|json|pdf|png|jpe?g|gif|svg|webp|avif|ico|mp4|webm))\1(?=[\s/>]|$)/gi;
const IN_STYLE = /url\(\s*(["']?)([^"'()\s]+)\1\s*\)/gi;
const IN_SET = /(?<!\S)(?:srcset|imagesrcset|data-srcset)\s*=\s*(["'])([^"'<>]+)\1/gi;

/** Where markup has addresses that are relative to its page's folder. */
function relativeAddresses(markup: string): Range[] {
  const found: Range[] = [];
  for (const pattern of [IN_ATTRIBUTE, FILE_IN_ATTRIBUTE, IN_STYLE])
    for (const match of markup.matchAll(pattern)) {
      const address = match[2] ?? match[3]!;
      const start = match.index + match[0].lastIndexOf(address);
      found.push({ start, end: start + address.length });
    }
  for (const match of markup.matchAll(IN_SET)) {
    const set = match.index + match[0].lastIndexOf(match[2]!);
    for (const { 0: part, index } of match[2]!.matchAll(/[^\s,]+/g))
      if (!/^[\d.]+[wxh]$/.test(part))
        found.push({ start: set + index, end: set + index + part.length });
  }
  return found
    .filter(({ start, end }) => isRelative(markup.slice(start, end)))
    .sort((a, b) => a.start - b.start)
    .filter(({ start }, i, all) => start !== all[i - 1]?.start);
}

function isRelative(address: string): boolean {
  const { scheme, authority, path } = parseReference(address);
  return scheme === '' && authority === '' && path !== '' && !path.startsWith('/');
}

function absoluteOf(address: string, folder: string): string {
  const reference = parseReference(address);
  return joinReference({ ...reference, path: absolutePath(folder, reference.path) });
}

/** Markup of a page in one folder for a page in another one: its relative addresses follow. */
export function forFolder(markup: string, from: string, to: string): string {
  if (from === to) return markup;
  let moved = '';
  let at = 0;
  for (const { start, end } of relativeAddresses(markup)) {
    const reference = parseReference(markup.slice(start, end));
    const path = relativePath(to, absolutePath(from, reference.path));
    moved += markup.slice(at, start) + joinReference({ ...reference, path });
    at = end;
  }
  return moved + markup.slice(at);
}
