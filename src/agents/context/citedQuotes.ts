import { withoutEnd } from '../../contract/text.ts';

/** A quotation without its quotation marks, and its author if one is given. */
export interface Quote {
  text: string;
  author: string | null;
}

const OPEN = /^["“”„«»‟‘‚']/u;
const CLOSE = /["”“»«’']/u;
const SEPARATOR = /^[\s—–\-|,;:~/·]*(?:(?:by|von|par|por|says|said|sagt)\s+)?/iu;
const SAYING = /\s(?:says|said|writes|wrote|sagt|sagte|schreibt)$/iu;
const LONGEST_AUTHOR = 100;

/**
 * Reads a line that is a text in quotation marks, with its author before or behind it. null for
 * other lines.
 */
export function quoteOf(line: string): Quote | null {
  if (OPEN.test(line)) {
    const end = lastClose(line);
    return end < 2
      ? null
      : { text: line.slice(1, end).trim(), author: nameOf(line.slice(end + 1)) };
  }
  const start = line.search(/(?<=[\s:—–-])["“„«‚]/u);
  const isLast = start > 0 && CLOSE.test(line.at(-1)!) && start < line.length - 2;
  const author = isLast ? nameOf(line.slice(0, start)) : null;
  return author === null ? null : { text: line.slice(start + 1, -1).trim(), author };
}

/** Reads a line that is known to be a quotation, even without quotation marks. */
export function bareQuoteOf(line: string): Quote | null {
  const quote = quoteOf(line);
  if (quote) return quote;
  const bracket = line.endsWith(')') ? line.lastIndexOf(' (') : -1;
  const at =
    bracket > 0
      ? bracket
      : Math.max(
          ...[' — ', ' – ', ' - ', ' | ', ' -- ', ' by '].map((mark) => line.lastIndexOf(mark)),
        );
  const author = at > 0 ? nameOf(line.slice(at)) : null;
  return author !== null && isName(author) ? { text: line.slice(0, at).trim(), author } : null;
}

/** Whether a text may be a person's name, perhaps with a role. */
export const isName = (text: string) =>
  /^\p{Lu}/u.test(text) && text.length <= LONGEST_AUTHOR && !/[.!?…]$/u.test(text);

/** Index of the closing quotation mark: the last one before the author or the line's end. */
function lastClose(line: string): number {
  for (let at = line.length - 1; at > 0 && at > line.length - LONGEST_AUTHOR - 20; at--)
    if (CLOSE.test(line[at]!) && !/^\p{L}/u.test(line.slice(at + 1))) return at;
  return -1;
}

function nameOf(text: string): string | null {
  const bare = text.replace(SEPARATOR, '').trim();
  const name = withoutSigns(
    bare.startsWith('(') && bare.endsWith(')') ? bare.slice(1, -1) : bare,
  ).replace(SAYING, '');
  return name === '' || name.length > LONGEST_AUTHOR || !/\p{L}/u.test(name) ? null : name;
}

const withoutSigns = (text: string) => withoutEnd(text.trim(), '—–-|,;:~ ');

/**
 * Joins the lines of a list's entry. If the last line is an author, behind a sentence or quotation,
 * a dash separates it.
 */
export function joinLines(text: string): string {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  const last = lines.at(-1) ?? '';
  const isAuthor = lines.length > 1 && isName(last) && /[.!?…"”“»«’']$/u.test(lines.at(-2)!);
  return isAuthor ? `${lines.slice(0, -1).join(' ')} — ${last}` : lines.join(' ');
}
