import { rangeOfLines, type SourceLines } from '../../text/lines.ts';

const LONGEST_VALUE = 200;
const KEPT_OF_VALUE = 40;
const DRAWN = /(\s(?:d|points|values|path)\s*=\s*)(["'])([^"'<>]{200,})\2/gi;
const DATA = /data:[a-z0-9.+/-]{0,60}[;,][^"'()\s<>]{200,}/gi;

/** What stands for characters that a model does not get to read. */
const markOf = (count: number) => `…[${count} characters cut]`;
const MARK = /…\[\d+ characters cut\]/;

export const hasCutMark = (text: string): boolean => MARK.test(text);

/** A line with its long drawings, data and rests cut. */
function shortened(line: string, longest: number): string {
  const short = (value: string) =>
    value.length < LONGEST_VALUE
      ? value
      : value.slice(0, KEPT_OF_VALUE) + markOf(value.length - KEPT_OF_VALUE);
  const text = line
    .replace(DRAWN, (_, name: string, quote: string, value: string) =>
      [name, quote, short(value), quote].join(''),
    )
    .replace(DATA, short);
  if (text.length <= longest) return text;
  return text.slice(0, longest).toWellFormed() + markOf(text.length - longest);
}

/** Most characters of numbered lines, about 6,000 tokens, and of one of them. */
export const LONGEST_READ = 24_000;
const LONGEST_LINE = 8_000;
const CUT_NOTE =
  '"…[n characters cut]" stands for what is not shown. Do not write it: quote around it, or use lines and copy';

/** Lines as a model reads them: `12: <p>Text</p>`. */
export interface NumberedLines {
  text: string;
  /** The last line that fitted. */
  last: number;
}

export function numberedLines(
  lines: SourceLines,
  { first, last, longest = LONGEST_READ }: { first: number; last: number; longest?: number },
): NumberedLines {
  const shown: string[] = [];
  let length = 0;
  for (let line = first; line <= last; line++) {
    const { start, end } = rangeOfLines(lines, line, line);
    const text = `${line}: ${shortened(lines.source.slice(start, end), LONGEST_LINE)}`;
    length += text.length + 1;
    if (length > longest && shown.length > 0) break;
    shown.push(text);
  }
  const text = shown.join('\n');
  return { text: text + (hasCutMark(text) ? `\n${CUT_NOTE}` : ''), last: first + shown.length - 1 };
}
