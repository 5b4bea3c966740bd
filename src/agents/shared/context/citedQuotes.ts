import { trimEndCharacters } from '../../../contract/text/summaries.ts';

/** A quotation without its quotation marks, and its author if one is given. */
export interface CitedQuote {
  text: string;
  author: string | null;
}

const OPENING_MARK = /^["“”„«»‟‘‚']/u;
const CLOSING_MARK = /["”“»«’']/u;
const AUTHOR_SEPARATOR = /^[\s—–\-|,;:~/·]*(?:(?:by|von|par|por|says|said|sagt)\s+)?/iu;
const SPEECH_VERB = /\s(?:says|said|writes|wrote|sagt|sagte|schreibt)$/iu;
const LONGEST_AUTHOR = 100;

/**
 * Reads a line that is a text in quotation marks, with its author before or behind it. null for
 * other lines.
 */
export function readQuote(line: string): CitedQuote | null {
  if (OPENING_MARK.test(line)) {
    const end = findClosingMark(line);
    return end < 2
      ? null
      : { text: line.slice(1, end).trim(), author: readAuthor(line.slice(end + 1)) };
  }
  const start = line.search(/(?<=[\s:—–-])["“„«‚]/u);
  const isLast = start > 0 && CLOSING_MARK.test(line.at(-1)!) && start < line.length - 2;
  const author = isLast ? readAuthor(line.slice(0, start)) : null;
  return author === null ? null : { text: line.slice(start + 1, -1).trim(), author };
}

/** Reads a line that is known to be a quotation, even without quotation marks. */
export function readUnmarkedQuote(line: string): CitedQuote | null {
  const quote = readQuote(line);
  if (quote) return quote;
  const bracketStart = line.endsWith(')') ? line.lastIndexOf(' (') : -1;
  const authorStart =
    bracketStart > 0
      ? bracketStart
      : Math.max(
          ...[' — ', ' – ', ' - ', ' | ', ' -- ', ' by '].map((separator) =>
            line.lastIndexOf(separator),
          ),
        );
  const author = authorStart > 0 ? readAuthor(line.slice(authorStart)) : null;
  return author !== null && mayBePersonName(author)
    ? { text: line.slice(0, authorStart).trim(), author }
    : null;
}

/** Whether a text may be a person's name, perhaps with a role. */
export const mayBePersonName = (text: string) =>
  /^\p{Lu}/u.test(text) && text.length <= LONGEST_AUTHOR && !/[.!?…]$/u.test(text);

/** Index of the closing quotation mark: the last one before the author or the line's end. */
function findClosingMark(line: string): number {
  for (let index = line.length - 1; index > 0 && index > line.length - LONGEST_AUTHOR - 20; index--)
    if (CLOSING_MARK.test(line[index]!) && !/^\p{L}/u.test(line.slice(index + 1))) return index;
  return -1;
}

function readAuthor(text: string): string | null {
  const trimmed = text.replace(AUTHOR_SEPARATOR, '').trim();
  const authorName = trimSigns(
    trimmed.startsWith('(') && trimmed.endsWith(')') ? trimmed.slice(1, -1) : trimmed,
  ).replace(SPEECH_VERB, '');
  return authorName === '' || authorName.length > LONGEST_AUTHOR || !/\p{L}/u.test(authorName)
    ? null
    : authorName;
}

const trimSigns = (text: string) => trimEndCharacters(text.trim(), '—–-|,;:~ ');

/**
 * Joins the lines of a list's entry. If the last line is an author, behind a sentence or quotation,
 * a dash separates it.
 */
export function joinEntryLines(text: string): string {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  const lastLine = lines.at(-1) ?? '';
  const isAuthor =
    lines.length > 1 && mayBePersonName(lastLine) && /[.!?…"”“»«’']$/u.test(lines.at(-2)!);
  return isAuthor ? `${lines.slice(0, -1).join(' ')} — ${lastLine}` : lines.join(' ');
}
