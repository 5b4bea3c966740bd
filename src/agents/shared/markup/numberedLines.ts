import { rangeOfLines, type SourceLines } from '../../../text/sourceLines.ts';

const MAX_VALUE_LENGTH = 200;
const KEPT_VALUE_LENGTH = 40;
const DRAWING_ATTRIBUTE = /(\s(?:d|points|values|path)\s*=\s*)(["'])([^"'<>]{200,})\2/gi;
const DATA_URL = /data:[a-z0-9.+/-]{0,60}[;,][^"'()\s<>]{200,}/gi;

/** What a model reads in place of characters that are cut. */
const createCutMark = (count: number) => `…[${count} characters cut]`;
const CUT_MARK = /…\[\d+ characters cut\]/;

export const hasCutMark = (text: string): boolean => CUT_MARK.test(text);

/**
 * Shortens a line: cuts the values of long drawings and embedded data, and what exceeds
 * `maxLength`.
 */
function shortenLine(line: string, maxLength: number): string {
  const shortenValue = (value: string) =>
    value.length < MAX_VALUE_LENGTH
      ? value
      : value.slice(0, KEPT_VALUE_LENGTH) + createCutMark(value.length - KEPT_VALUE_LENGTH);
  const text = line
    .replace(DRAWING_ATTRIBUTE, (_, name: string, quote: string, value: string) =>
      [name, quote, shortenValue(value), quote].join(''),
    )
    .replace(DATA_URL, shortenValue);
  if (text.length <= maxLength) return text;
  return text.slice(0, maxLength).toWellFormed() + createCutMark(text.length - maxLength);
}

/** Most characters of numbered lines, about 6,000 tokens, and of one of them. */
export const MAX_READ_LENGTH = 24_000;
const MAX_LINE_LENGTH = 8_000;
export const CUT_NOTE =
  '"…[n characters cut]" stands for what is not shown. Do not write it: quote around it, or use lines and copy';

/** Lines as a model reads them: `12: <p>Text</p>`. */
export interface NumberedLines {
  text: string;
  /** The last line that fitted. */
  last: number;
}

/**
 * Writes lines with their numbers. Ends before `longest` characters, but shows at least one line.
 */
export function numberLines(
  lines: SourceLines,
  {
    first: firstLine,
    last: lastLine,
    longest: maxLength = MAX_READ_LENGTH,
  }: { first: number; last: number; longest?: number },
): NumberedLines {
  const shownLines: string[] = [];
  let length = 0;
  for (let line = firstLine; line <= lastLine; line++) {
    const { start, end } = rangeOfLines(lines, line, line);
    const text = `${line}: ${shortenLine(lines.source.slice(start, end), MAX_LINE_LENGTH)}`;
    length += text.length + 1;
    if (length > maxLength && shownLines.length > 0) break;
    shownLines.push(text);
  }
  const text = shownLines.join('\n');
  return {
    text: text + (hasCutMark(text) ? `\n${CUT_NOTE}` : ''),
    last: firstLine + shownLines.length - 1,
  };
}
