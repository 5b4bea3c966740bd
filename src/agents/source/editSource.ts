import { invalidInput } from '../../errors.ts';
import { lineAt, linesOf, rangeOfLines, type SourceLines, withEnds } from '../../text/lines.ts';
import type { Range } from '../../text/range.ts';
import {
  commonEnds,
  type CommonEnds,
  keepingSpace,
  middleOf,
  type Replacement,
} from './differingMiddle.ts';
import { nearestLines } from './nearestLines.ts';
import { type NormalForm, normalForm } from './normalForm.ts';
import { hasCutMark, numberedLines } from './numberedLines.ts';

/** A change of a page's markup. Line numbers refer to the page before all changes of one call. */
export type SourceEdit =
  | { old: string; new: string }
  | { lines: [number, number]; new: string }
  /** Copies lines behind the line `after`; 0: before the first line. */
  | { copy: [number, number]; after: number };

/** A page's file, and its text. */
export interface Source {
  path: string;
  source: string;
}

/** A source after edits. */
export interface EditedSource {
  source: string;
  /** The edited lines in the new source, with a line before and behind them. */
  shown: string;
}

/**
 * Makes edits of a page. No byte outside of them changes.
 * @throws DomainError INVALID_INPUT that says which edit is wrong, and the nearest lines
 */
export function editSource(page: Source, edits: SourceEdit[]): EditedSource {
  const lines = linesOf(page.source);
  let form: NormalForm | undefined;
  const edited = { lines, form: () => (form ??= normalForm(page.source)) };
  const made = edits.map((edit, i) => {
    refuseCutMark(edit, i);
    return replacementOf(edited, edit, nameOf(edits, i));
  });
  refuseOverlaps(lines, made);
  const { source, places } = written(page.source, made);
  if (source === page.source)
    throw invalidInput('The edits change nothing: the page reads so already');
  return { source, shown: shownAt(linesOf(source), places) };
}

const nameOf = (edits: SourceEdit[], i: number) => (edits.length === 1 ? '' : `Edit ${i + 1}: `);

function refuseCutMark(edit: SourceEdit, i: number): void {
  const texts = 'copy' in edit ? [] : [edit.new, ...('old' in edit ? [edit.old] : [])];
  if (texts.some(hasCutMark))
    throw invalidInput(
      `Edit ${i + 1} has "…[n characters cut]", which stands for what was not shown: quote around it, or use lines and copy`,
    );
}

/** A page's lines, and its normal form, which is made once for all edits of a call. */
interface EditedPage {
  lines: SourceLines;
  form: () => NormalForm;
}

function replacementOf(page: EditedPage, edit: SourceEdit, name: string): Replacement {
  if ('old' in edit) return replacedText(page, edit, name);
  const { lines } = page;
  const { source, starts } = lines;
  if ('lines' in edit) {
    const range = checkedLines(lines, edit.lines, name);
    const text = withEnds(edit.new, lines).replace(/\r?\n$/, '');
    if (text !== '') return { ...range, text };
    return { start: range.start, end: starts[edit.lines[1]] ?? source.length, text: '' };
  }
  const { start, end } = checkedLines(lines, edit.copy, name);
  const { after } = edit;
  if (after < 0 || after > starts.length) throw noLine(lines, after, name);
  const block = source.slice(start, end);
  if (after === 0) return { start: 0, end: 0, text: block + lines.end };
  const at = rangeOfLines(lines, after, after).end;
  return { start: at, end: at, text: lines.end + block };
}

function checkedLines(lines: SourceLines, [first, last]: [number, number], name: string): Range {
  if (first < 1 || first > lines.starts.length) throw noLine(lines, first, name);
  if (last > lines.starts.length) throw noLine(lines, last, name);
  if (last < first)
    throw invalidInput(`${name}lines [${first}, ${last}]: the last is before the first`);
  return rangeOfLines(lines, first, last);
}

const noLine = ({ starts }: SourceLines, line: number, name: string) =>
  invalidInput(`${name}there is no line ${line}: the page has ${starts.length} lines`);

const NAMED = 10;

function replacedText(
  { lines, form: formOf }: EditedPage,
  edit: { old: string; new: string },
  name: string,
): Replacement {
  const { source } = lines;
  const [old, now] = [withEnds(edit.old, lines), withEnds(edit.new, lines)];
  if (old.trim() === '') throw invalidInput(`${name}old has no words: quote what is to change`);
  const exact = placesOf(source, old);
  if (exact.length === 1) {
    const start = exact[0]!;
    return trimmed({ start, end: start + old.length, text: now }, source);
  }
  if (exact.length > 1) throw foundOften(lines, exact, name);
  const form = formOf();
  const alike = placesOf(form.text, normalForm(old.trim()).text);
  const [at] = alike;
  if (at === undefined) throw notFound(lines, old, name);
  if (alike.length > 1)
    throw foundOften(
      lines,
      alike.map((one) => form.starts[one]!),
      name,
    );
  return middleIn({ source, form, at }, { old: old.trim(), now: now.trim() });
}

/** Positions of a text, which do not overlap; none of an empty one. */
export function placesOf(source: string, text: string): number[] {
  const places: number[] = [];
  if (text === '') return places;
  for (let at = source.indexOf(text); at !== -1; at = source.indexOf(text, at + text.length))
    places.push(at);
  return places;
}

function foundOften(lines: SourceLines, places: number[], name: string) {
  const found = [...new Set(places.map((at) => lineAt(lines, at)))];
  const more = found.length > NAMED ? ' …' : '';
  const where = `line${found.length === 1 ? '' : 's'} ${found.slice(0, NAMED).join(', ')}${more}`;
  return invalidInput(`${name}found ${places.length} times: ${where}; give more text, or lines`);
}

const notFound = (lines: SourceLines, old: string, name: string) =>
  invalidInput(`${name}the page has no such text as old${nearestLines(lines, old)}`);

/** Leaves out what the old and the new text have in common at their ends. */
function trimmed({ start, end, text }: Replacement, source: string): Replacement {
  const old = source.slice(start, end);
  const most = Math.min(old.length, text.length);
  let [prefix, suffix] = [0, 0];
  while (prefix < most && old[prefix] === text[prefix]) prefix++;
  while (suffix < most - prefix && old.at(-1 - suffix) === text.at(-1 - suffix)) suffix++;
  return {
    start: start + prefix,
    end: end - suffix,
    text: text.slice(prefix, text.length - suffix),
  };
}

interface PlaceInForm {
  source: string;
  form: NormalForm;
  /** Where the block begins in the normal form. */
  at: number;
}

/** Replaces only what differs between the old and the new text of a block. */
function middleIn(
  { source, form, at }: PlaceInForm,
  { old, now }: { old: string; now: string },
): Replacement {
  const forms = [normalForm(old), normalForm(now)] as const;
  const common = commonEnds(...forms);
  const range = middleOf(form, common, { at, length: forms[0].text.length });
  return keepingSpace(source, range, {
    was: ownMiddle(old, forms[0], common),
    now: ownMiddle(now, forms[1], common),
  });
}

/** What a text has between the ends that are common. */
export function ownMiddle(text: string, form: NormalForm, common: CommonEnds): string {
  const { start, end } = middleOf(form, common, { at: 0, length: form.text.length });
  return text.slice(start, end);
}

function refuseOverlaps(lines: SourceLines, made: Replacement[]): void {
  const found = overlapping(made);
  if (!found) return;
  const [first, second] = found.map((i) => i + 1);
  const line = lineAt(lines, made[found[1]]!.start);
  throw invalidInput(
    `Edits ${first} and ${second} overlap in line ${line}: make one of them, and the other in the next call`,
  );
}

/** The indexes of two replacements of which one begins inside the other. */
export function overlapping(made: Replacement[]): [number, number] | undefined {
  const sorted = made.map((one, i) => ({ ...one, i })).sort(inOrder);
  for (const [i, { start, i: index }] of sorted.entries()) {
    const before = sorted[i - 1];
    if (before && start < before.end) return [before.i, index].sort((a, b) => a - b) as never;
  }
  return undefined;
}

const inOrder = (a: Range & { i: number }, b: Range & { i: number }) =>
  a.start - b.start || a.end - b.end || a.i - b.i;

/** @returns the new source, and where it has the new texts */
export function written(source: string, made: Replacement[]): { source: string; places: Range[] } {
  const sorted = made.map((one, i) => ({ ...one, i })).sort(inOrder);
  const places: Range[] = [];
  let result = '';
  let at = 0;
  for (const { start, end, text } of sorted) {
    result += source.slice(at, start);
    places.push({ start: result.length, end: result.length + text.length });
    result += text;
    at = end;
  }
  return { source: result + source.slice(at), places };
}

const LONGEST_SHOWN = 6_000;

/** The edited lines, with one before and one behind them. */
function shownAt(lines: SourceLines, places: Range[]): string {
  const ranges: { first: number; last: number }[] = [];
  for (const { start, end } of places) {
    const first = Math.max(1, lineAt(lines, start) - 1);
    const last = Math.min(lines.starts.length, lineAt(lines, Math.max(start, end - 1)) + 1);
    const before = ranges.at(-1);
    if (before && first <= before.last + 1) before.last = Math.max(before.last, last);
    else ranges.push({ first, last });
  }
  const shown: string[] = [];
  let left = LONGEST_SHOWN;
  for (const range of ranges) {
    const { text, last } = numberedLines(lines, { ...range, longest: Math.max(left, 1) });
    shown.push(last < range.last ? `${text}\n… to line ${range.last}` : text);
    left -= text.length;
    if (left <= 0 && range !== ranges.at(-1)) return [...shown, '…'].join('\n');
  }
  return shown.join('\n…\n');
}
