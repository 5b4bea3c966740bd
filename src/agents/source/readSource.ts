import { invalidInput } from '../../errors.ts';
import { lineAt, linesOf, rangeOfLines, type SourceLines } from '../../text/lines.ts';
import { placesOf } from './editSource.ts';
import { nearestLines } from './nearestLines.ts';
import { normalForm } from './normalForm.ts';
import { numberedLines } from './numberedLines.ts';

/** Which lines of a page's HTML to read; absent: from the first on. */
export interface SourceView {
  lines?: [number, number];
  /** A text: the lines around its first places. */
  around?: string;
}

const LINES_AROUND = 12;
const MOST_PLACES = 3;
/** A line above this length is read only around the text. */
const LONG_LINE = 2_000;
const CHARACTERS_AROUND = 800;

/**
 * The lines of a page, with their numbers.
 * @throws DomainError INVALID_INPUT for lines that the page does not have; for a text that it does
 *   not have, with the nearest lines
 */
export function readSource(source: string, { lines: wanted, around }: SourceView): string {
  const lines = linesOf(source);
  const count = lines.starts.length;
  if (around !== undefined) return linesAround(lines, around);
  const [first, until] = wanted ?? [1, count];
  if (first < 1 || first > count || until < first)
    throw invalidInput(`There are no lines [${first}, ${until}]: the page has ${count} lines`);
  const end = Math.min(until, count);
  const { text, last } = numberedLines(lines, { first, last: end });
  const more = last < end ? `\nThe page has ${count} lines: read on from line ${last + 1}` : '';
  return text + more;
}

function linesAround(lines: SourceLines, text: string): string {
  const places = findPlaces(lines.source, text);
  if (places.length === 0)
    throw invalidInput(`The page has no such text${nearestLines(lines, text)}`);
  const shown = places.slice(0, MOST_PLACES).map((at) => blockAround(lines, at, text.length));
  const found = [...new Set(places.map((at) => lineAt(lines, at)))];
  const often =
    found.length > 1
      ? `Found in ${found.length} lines: ${found.slice(0, 20).join(', ')}${found.length > 20 ? ' …' : ''}\n`
      : '';
  return often + [...new Set(shown)].join('\n…\n');
}

function blockAround(lines: SourceLines, at: number, length: number): string {
  const line = lineAt(lines, at);
  const { start, end } = rangeOfLines(lines, line, line);
  if (end - start > LONG_LINE) {
    const [from, to] = [
      Math.max(start, at - CHARACTERS_AROUND),
      Math.min(end, at + length + CHARACTERS_AROUND),
    ];
    const piece = lines.source.slice(from, to).toWellFormed();
    return `${line}: ${from > start ? '…' : ''}${piece}${to < end ? '…' : ''}`;
  }
  const first = Math.max(1, line - LINES_AROUND);
  const last = Math.min(lines.starts.length, line + LINES_AROUND);
  return numberedLines(lines, { first, last, longest: LONG_LINE * 4 }).text;
}

/** Where a text stands: as it is, else in any case and with other white space. */
function findPlaces(source: string, text: string): number[] {
  const exact = placesOf(source, text);
  if (exact.length > 0) return exact;
  const form = normalForm(source);
  const wanted = normalForm(text.trim()).text.toLowerCase();
  return wanted === '' ? [] : placesOf(lowerOf(form.text), wanted).map((at) => form.starts[at]!);
}

/** In lower case, as long as before: some letters become longer otherwise. */
const lowerOf = (text: string) => {
  const lower = text.toLowerCase();
  return lower.length === text.length
    ? lower
    : text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
};
