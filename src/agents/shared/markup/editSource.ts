import { type DomainError, invalidInputError } from '../../../errors.ts';
import {
  lineAt,
  sourceLines,
  rangeOfLines,
  type SourceLines,
  useLineEnds,
} from '../../../text/sourceLines.ts';
import type { TextRange } from '../../../text/textRange.ts';
import {
  findCommonEnds,
  type CommonEnds,
  keepEdgeSpace,
  findMiddleRange,
  type SourceReplacement,
} from './differingMiddle.ts';
import { describeNearestLines } from './nearestLines.ts';
import { type NormalForm, createNormalForm } from './normalForm.ts';
import { hasCutMark, numberLines } from './numberedLines.ts';

/**
 * Edits the HTML of a page for a language model, which quotes the text that it changes or gives
 * lines.
 *
 * - `editSource.ts` makes the edits of one call. `repeatEdits.ts` repeats them on other pages.
 * - `normalForm.ts` makes markup comparable, whatever its white space and quotation marks.
 * - `differingMiddle.ts` finds what differs between an old and a new text, so that only that
 *   changes.
 * - `currentMarks.ts` finds what marks the menu's link to the current page, which differs by page.
 * - `numberedLines.ts`, `readSourceLines.ts` and `nearestLines.ts` show lines to the model.
 *
 * For example, line 12 of a page is `<h1>Web design in Austin</h1>`, and the edit is
 * `{ old: 'design in Austin', new: 'design in Lisbon' }`. The new source differs only in this name,
 * and the model is shown the lines 11 to 13 as they are now.
 */

/** A change of a page's markup. Line numbers refer to the page before all changes of one call. */
export type SourceEdit =
  | { old: string; new: string }
  | { lines: [number, number]; new: string }
  /** Copies lines behind the line `after`; 0: before the first line. */
  | { copy: [number, number]; after: number };

/** A page's file, and its text. */
export interface PageFileSource {
  path: string;
  source: string;
}

/** A source after edits. */
export interface EditedSource {
  source: string;
  /** The edited lines in the new source, with a line before and behind them. */
  shown: string;
}

const MAX_NAMED_LINES = 10;

/** What can be wrong with the edits of a call. */
export const editProblems = {
  unchanged: () => 'The edits change nothing: the page already has these texts',
  cutText: (editNumber: number) =>
    `Edit ${editNumber} has "…[n characters cut]", which stands for what was not shown: quote around it, or use lines and copy`,
  overlap: (first: number, second: number, line: number) =>
    `Edits ${first} and ${second} overlap in line ${line}: make one of them, and the other in the next call`,
  missingLine: (line: number, lineCount: number) =>
    `there is no line ${line}: the page has ${lineCount} lines`,
  reversedLines: (first: number, last: number) =>
    `lines [${first}, ${last}]: the last is before the first`,
  noWords: () => 'old has no words: quote what is to change',
  missingText: (nearestLines: string) => `the page has no such text as old${nearestLines}`,
  repeatedText: (count: number, lines: number[]) =>
    `found ${count} times: line${lines.length === 1 ? '' : 's'} ${lines.slice(0, MAX_NAMED_LINES).join(', ')}${lines.length > MAX_NAMED_LINES ? ' …' : ''}; give more text, or lines`,
  /** Names the edit of a problem, if the call has several. */
  ofEdit: (editNumber: number, problem: string) => `Edit ${editNumber}: ${problem}`,
};

/**
 * Makes the edits of one call on a page. No byte outside of them changes.
 * @returns the new source, and its edited lines for the model
 * @throws DomainError INVALID_INPUT if an edit is wrong, and says which one, with the nearest lines
 */
export function editSource(page: PageFileSource, edits: SourceEdit[]): EditedSource {
  const lines = sourceLines(page.source);
  let form: NormalForm | undefined;
  const editedLines = { lines, form: () => (form ??= createNormalForm(page.source)) };
  const replacements = edits.map((edit, index) => {
    rejectCutMark(edit, index);
    return createReplacement(editedLines, edit, (problem) =>
      invalidInputError(edits.length === 1 ? problem : editProblems.ofEdit(index + 1, problem)),
    );
  });
  rejectOverlaps(lines, replacements);
  const { source, places } = applyReplacements(page.source, replacements);
  if (source === page.source) throw invalidInputError(editProblems.unchanged());
  return { source, shown: showEditedLines(sourceLines(source), places) };
}

/** Makes the error for what is wrong with an edit. */
type CreateEditError = (problem: string) => DomainError;

function rejectCutMark(edit: SourceEdit, index: number): void {
  const texts = 'copy' in edit ? [] : [edit.new, ...('old' in edit ? [edit.old] : [])];
  if (texts.some(hasCutMark)) throw invalidInputError(editProblems.cutText(index + 1));
}

/** A page's lines, and its normal form, which is made only once for all edits of a call. */
interface EditedLines {
  lines: SourceLines;
  form: () => NormalForm;
}

function createReplacement(
  page: EditedLines,
  edit: SourceEdit,
  createError: CreateEditError,
): SourceReplacement {
  if ('old' in edit) return replaceQuotedText(page, edit, createError);
  const { lines } = page;
  const { source, starts } = lines;
  if ('lines' in edit) {
    const range = checkLineRange(lines, edit.lines, createError);
    const text = useLineEnds(edit.new, lines).replace(/\r?\n$/, '');
    if (text !== '') return { ...range, text };
    return { start: range.start, end: starts[edit.lines[1]] ?? source.length, text: '' };
  }
  const { start, end } = checkLineRange(lines, edit.copy, createError);
  const { after: afterLine } = edit;
  if (afterLine < 0 || afterLine > starts.length)
    throw createError(editProblems.missingLine(afterLine, starts.length));
  const block = source.slice(start, end);
  if (afterLine === 0) return { start: 0, end: 0, text: block + lines.end };
  const lineEnd = rangeOfLines(lines, afterLine, afterLine).end;
  return { start: lineEnd, end: lineEnd, text: lines.end + block };
}

function checkLineRange(
  lines: SourceLines,
  [firstLine, lastLine]: [number, number],
  createError: CreateEditError,
): TextRange {
  const lineCount = lines.starts.length;
  if (firstLine < 1 || firstLine > lineCount)
    throw createError(editProblems.missingLine(firstLine, lineCount));
  if (lastLine > lineCount) throw createError(editProblems.missingLine(lastLine, lineCount));
  if (lastLine < firstLine) throw createError(editProblems.reversedLines(firstLine, lastLine));
  return rangeOfLines(lines, firstLine, lastLine);
}

function replaceQuotedText(
  { lines, form: formOf }: EditedLines,
  edit: { old: string; new: string },
  createError: CreateEditError,
): SourceReplacement {
  const { source } = lines;
  const [oldText, newText] = [useLineEnds(edit.old, lines), useLineEnds(edit.new, lines)];
  if (oldText.trim() === '') throw createError(editProblems.noWords());
  const createRepeatedTextError = (positions: number[]) =>
    createError(
      editProblems.repeatedText(positions.length, [
        ...new Set(positions.map((position) => lineAt(lines, position))),
      ]),
    );
  const exactPositions = findTextOccurrences(source, oldText);
  if (exactPositions.length === 1) {
    const start = exactPositions[0]!;
    return trimCommonEnds({ start, end: start + oldText.length, text: newText }, source);
  }
  if (exactPositions.length > 1) throw createRepeatedTextError(exactPositions);
  const form = formOf();
  const similarPositions = findTextOccurrences(form.text, createNormalForm(oldText.trim()).text);
  const [formPosition] = similarPositions;
  if (formPosition === undefined)
    throw createError(editProblems.missingText(describeNearestLines(lines, oldText)));
  if (similarPositions.length > 1)
    throw createRepeatedTextError(similarPositions.map((position) => form.starts[position]!));
  return replaceMiddle(
    { source, form, at: formPosition },
    { old: oldText.trim(), now: newText.trim() },
  );
}

/** All positions of a text in a source. They do not overlap. An empty text has none. */
export function findTextOccurrences(source: string, text: string): number[] {
  const positions: number[] = [];
  if (text === '') return positions;
  for (
    let position = source.indexOf(text);
    position !== -1;
    position = source.indexOf(text, position + text.length)
  )
    positions.push(position);
  return positions;
}

/** Leaves out what the old and the new text have in common at their ends. */
function trimCommonEnds(
  { start, end, text }: SourceReplacement,
  source: string,
): SourceReplacement {
  const oldText = source.slice(start, end);
  const shorterLength = Math.min(oldText.length, text.length);
  let [prefix, suffix] = [0, 0];
  while (prefix < shorterLength && oldText[prefix] === text[prefix]) prefix++;
  while (suffix < shorterLength - prefix && oldText.at(-1 - suffix) === text.at(-1 - suffix))
    suffix++;
  return {
    start: start + prefix,
    end: end - suffix,
    text: text.slice(prefix, text.length - suffix),
  };
}

interface FormPosition {
  source: string;
  form: NormalForm;
  /** Where the block begins in the normal form. */
  at: number;
}

/** Replaces only what differs between the old and the new text of a block. */
function replaceMiddle(
  { source, form, at }: FormPosition,
  { old, now }: { old: string; now: string },
): SourceReplacement {
  const forms = [createNormalForm(old), createNormalForm(now)] as const;
  const commonEnds = findCommonEnds(...forms);
  const range = findMiddleRange(form, commonEnds, { at, length: forms[0].text.length });
  return keepEdgeSpace(source, range, {
    was: readMiddle(old, forms[0], commonEnds),
    now: readMiddle(now, forms[1], commonEnds),
  });
}

/** The part of a text between the ends that it has in common with another one. */
export function readMiddle(text: string, form: NormalForm, commonEnds: CommonEnds): string {
  const { start, end } = findMiddleRange(form, commonEnds, { at: 0, length: form.text.length });
  return text.slice(start, end);
}

function rejectOverlaps(lines: SourceLines, replacements: SourceReplacement[]): void {
  const overlap = findOverlap(replacements);
  if (!overlap) return;
  const [first, second] = overlap.map((position) => position + 1);
  const line = lineAt(lines, replacements[overlap[1]]!.start);
  throw invalidInputError(editProblems.overlap(first!, second!, line));
}

/** The indexes of two replacements of which one begins inside the other. */
export function findOverlap(replacements: SourceReplacement[]): [number, number] | undefined {
  const sorted = replacements
    .map((replacement, i) => ({ ...replacement, i }))
    .sort(compareReplacements);
  for (const [i, { start, i: index }] of sorted.entries()) {
    const previous = sorted[i - 1];
    if (previous && start < previous.end)
      return [previous.i, index].sort((left, right) => left - right) as never;
  }
  return undefined;
}

const compareReplacements = (first: TextRange & { i: number }, second: TextRange & { i: number }) =>
  first.start - second.start || first.end - second.end || first.i - second.i;

/** Makes replacements that don't overlap. @returns the new source, and where the new texts are */
export function applyReplacements(
  source: string,
  replacements: SourceReplacement[],
): { source: string; places: TextRange[] } {
  const sorted = replacements
    .map((replacement, i) => ({ ...replacement, i }))
    .sort(compareReplacements);
  const newRanges: TextRange[] = [];
  let result = '';
  let position = 0;
  for (const { start, end, text } of sorted) {
    result += source.slice(position, start);
    newRanges.push({ start: result.length, end: result.length + text.length });
    result += text;
    position = end;
  }
  return { source: result + source.slice(position), places: newRanges };
}

const MAX_SHOWN_LENGTH = 6_000;

/** The edited lines, with one before and one behind them. */
function showEditedLines(lines: SourceLines, newRanges: TextRange[]): string {
  const ranges: { first: number; last: number }[] = [];
  for (const { start, end } of newRanges) {
    const firstLine = Math.max(1, lineAt(lines, start) - 1);
    const last = Math.min(lines.starts.length, lineAt(lines, Math.max(start, end - 1)) + 1);
    const previousRange = ranges.at(-1);
    if (previousRange && firstLine <= previousRange.last + 1)
      previousRange.last = Math.max(previousRange.last, last);
    else ranges.push({ first: firstLine, last });
  }
  const shownParts: string[] = [];
  let remainingLength = MAX_SHOWN_LENGTH;
  for (const range of ranges) {
    const { text, last } = numberLines(lines, { ...range, longest: Math.max(remainingLength, 1) });
    shownParts.push(last < range.last ? `${text}\n… to line ${range.last}` : text);
    remainingLength -= text.length;
    if (remainingLength <= 0 && range !== ranges.at(-1)) return [...shownParts, '…'].join('\n');
  }
  return shownParts.join('\n…\n');
}
