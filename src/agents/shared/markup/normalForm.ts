import {
  absolutePath,
  urlFolder,
  joinReference,
  parseReference,
  relativePath,
} from '../../../sites/pages/urls/urls.ts';
import type { TextRange } from '../../../text/textRange.ts';
import { plainMarks } from '../text/foldText.ts';
import { findCurrentMarks } from './currentMarks.ts';

/**
 * The normal form of a piece of markup, in which differences of white space are removed. `starts`
 * and `ends` say where each of its characters is in the source.
 */
export interface NormalForm {
  text: string;
  starts: number[];
  ends: number[];
}

/** The folder of a page's file, such as `/services/`. Relative URLs of the page refer to it. */
export const findPageFolder = (path: string): string => urlFolder(`/${path}`);

/**
 * Makes the normal form of markup: each run of white space is one space, white space beside a tag
 * is left out, and quotation marks and hyphens are those of a keyboard. `<p>\n  “Hi”  there </p>`
 * becomes `<p>"Hi" there</p>`.
 * @param folder if given, a relative URL is read as the absolute one, and what marks the link to
 *   the current page is left out, so that pages can be compared
 */
export function createNormalForm(markup: string, folder?: string): NormalForm {
  const form: NormalForm = { text: '', starts: [], ends: [] };
  const parts: string[] = [];
  const addCharacters = (text: string, start: number, end: number) => {
    parts.push(text);
    for (let offset = 0; offset < text.length; offset++) {
      form.starts.push(start);
      form.ends.push(end);
    }
  };
  const pieces = folder === undefined ? [] : findPageSpecificPieces(markup, folder);
  const typed = plainMarks(markup);
  let pieceIndex = 0;
  for (let position = 0; position < markup.length;) {
    while (pieceIndex < pieces.length && pieces[pieceIndex]!.start < position) pieceIndex++;
    const piece = pieces[pieceIndex];
    if (piece?.start === position) {
      if (piece.text !== '') addCharacters(piece.text, position, piece.end);
      else if (form.ends.length > 0) form.ends[form.ends.length - 1] = piece.end;
      position = piece.end;
    } else if (isWhiteSpace(markup, position)) {
      let end = position + 1;
      while (end < markup.length && isWhiteSpace(markup, end)) end++;
      if (!isBesideTag(markup, position, end)) addCharacters(' ', position, end);
      position = end;
    } else {
      addCharacters(typed[position]!, position, position + 1);
      position++;
    }
  }
  return { ...form, text: parts.join('') };
}

/** A piece of markup that differs between pages, and how it reads on all of them. */
interface PageSpecificPiece extends TextRange {
  text: string;
}

const findPageSpecificPieces = (markup: string, folder: string): PageSpecificPiece[] =>
  [
    ...findRelativeUrls(markup).map(({ start, end }) => ({
      start,
      end,
      text: makeAbsoluteUrl(markup.slice(start, end), folder),
    })),
    ...findCurrentMarks(markup).map((range) => ({ ...range, text: '' })),
  ].sort((first, second) => first.start - second.start);

/** Whether a character is white space, or a no-break space, which models read as a space. */
function isWhiteSpace(text: string, position: number): boolean {
  const code = text.charCodeAt(position);
  return code <= 32 ? ' \n\t\r\f'.includes(text[position]!) : code === 0xa0 || code === 0x202f;
}

const isBesideTag = (markup: string, start: number, end: number) =>
  markup[start - 1] === '>' ||
  markup[end] === '<' ||
  markup[end] === '>' ||
  (markup[end] === '/' && markup[end + 1] === '>');

const URL_ATTRIBUTE =
  /(?<!\S)(?:href|src|action|formaction|poster|cite|xlink:href|data-src|data-href|data-bg|data-background)\s*=\s*(?:(["'])([^"'<>]+)\1|([^\s"'<>`=]+))/gi;
/** Other attributes whose value is the name of a file. */
const FILE_ATTRIBUTE =
  /(?<!\S)(?:content|data-[\w-]+)\s*=\s*(["']?)((?:[\w.-]+\/)*[\w.-]+\.(?:html?|css|m?js|json|pdf|png|jpe?g|gif|svg|webp|avif|ico|mp4|webm))\1(?=[\s/>]|$)/gi;
const STYLE_URL = /url\(\s*(["']?)([^"'()\s]+)\1\s*\)/gi;
const URL_SET = /(?<!\S)(?:srcset|imagesrcset|data-srcset)\s*=\s*(["'])([^"'<>]+)\1/gi;

/** The ranges of URLs in markup that are relative to the folder of its page. */
function findRelativeUrls(markup: string): TextRange[] {
  const urlRanges: TextRange[] = [];
  for (const pattern of [URL_ATTRIBUTE, FILE_ATTRIBUTE, STYLE_URL])
    for (const match of markup.matchAll(pattern)) {
      const urlText = match[2] ?? match[3]!;
      const start = match.index + match[0].lastIndexOf(urlText);
      urlRanges.push({ start, end: start + urlText.length });
    }
  for (const match of markup.matchAll(URL_SET)) {
    const setStart = match.index + match[0].lastIndexOf(match[2]!);
    for (const { 0: candidate, index } of match[2]!.matchAll(/[^\s,]+/g))
      if (!/^[\d.]+[wxh]$/.test(candidate))
        urlRanges.push({ start: setStart + index, end: setStart + index + candidate.length });
  }
  return urlRanges
    .filter(({ start, end }) => isRelativeUrl(markup.slice(start, end)))
    .sort((first, second) => first.start - second.start)
    .filter(({ start }, index, sortedRanges) => start !== sortedRanges[index - 1]?.start);
}

function isRelativeUrl(urlText: string): boolean {
  const { scheme, authority, path } = parseReference(urlText);
  return scheme === '' && authority === '' && path !== '' && !path.startsWith('/');
}

function makeAbsoluteUrl(urlText: string, folder: string): string {
  const reference = parseReference(urlText);
  return joinReference({ ...reference, path: absolutePath(folder, reference.path) });
}

/**
 * Adapts markup to a page in another folder: its relative URLs lead to the same files as before.
 */
export function moveToFolder(markup: string, fromFolder: string, toFolder: string): string {
  if (fromFolder === toFolder) return markup;
  let movedMarkup = '';
  let position = 0;
  for (const { start, end } of findRelativeUrls(markup)) {
    const reference = parseReference(markup.slice(start, end));
    const path = relativePath(toFolder, absolutePath(fromFolder, reference.path));
    movedMarkup += markup.slice(position, start) + joinReference({ ...reference, path });
    position = end;
  }
  return movedMarkup + markup.slice(position);
}
