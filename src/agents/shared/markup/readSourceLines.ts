import { invalidInputError } from '../../../errors.ts';
import { lineAt, sourceLines, rangeOfLines, type SourceLines } from '../../../text/sourceLines.ts';
import { findTextOccurrences } from './editSource.ts';
import { describeNearestLines } from './nearestLines.ts';
import { createNormalForm } from './normalForm.ts';
import { numberLines } from './numberedLines.ts';

/** Which lines of a page's HTML to read. Without `lines` and `around`: from the first line on. */
export interface SourceView {
  lines?: [number, number];
  /** A text. The lines around its first occurrences are read. */
  around?: string;
}

const CONTEXT_LINES = 12;
const MAX_SHOWN_PLACES = 3;
/** A line above this length is read only around the text. */
const MAX_WHOLE_LINE = 2_000;
const CONTEXT_CHARACTERS = 800;

/** What a model reads besides the lines. */
export const readingTexts = {
  missingLines: (first: number, last: number, lineCount: number) =>
    `There are no lines [${first}, ${last}]: the page has ${lineCount} lines`,
  continuation: (lineCount: number, nextLine: number) =>
    `The page has ${lineCount} lines: read on from line ${nextLine}`,
  missingText: (nearestLines: string) => `The page has no such text${nearestLines}`,
  found: (lines: number[]) =>
    `Found in ${lines.length} lines: ${lines.slice(0, 20).join(', ')}${lines.length > 20 ? ' …' : ''}`,
};

/**
 * Reads lines of a page with their numbers, such as `12: <p>Text</p>`. Says where to read on if not
 * all fit.
 * @throws DomainError INVALID_INPUT for lines that the page does not have; for a text that it does
 *   not have, with the nearest lines
 */
export function readSourceLines(
  source: string,
  { lines: requestedLines, around }: SourceView,
): string {
  const lines = sourceLines(source);
  const lineCount = lines.starts.length;
  if (around !== undefined) return readLinesAround(lines, around);
  const [firstLine, lastRequested] = requestedLines ?? [1, lineCount];
  if (firstLine < 1 || firstLine > lineCount || lastRequested < firstLine)
    throw invalidInputError(readingTexts.missingLines(firstLine, lastRequested, lineCount));
  const lastAvailable = Math.min(lastRequested, lineCount);
  const { text, last: lastShown } = numberLines(lines, { first: firstLine, last: lastAvailable });
  const continuation =
    lastShown < lastAvailable ? `\n${readingTexts.continuation(lineCount, lastShown + 1)}` : '';
  return text + continuation;
}

function readLinesAround(lines: SourceLines, text: string): string {
  const positions = findTextPositions(lines.source, text);
  if (positions.length === 0)
    throw invalidInputError(readingTexts.missingText(describeNearestLines(lines, text)));
  const shownBlocks = positions
    .slice(0, MAX_SHOWN_PLACES)
    .map((position) => readBlockAround(lines, position, text.length));
  const lineNumbers = [...new Set(positions.map((position) => lineAt(lines, position)))];
  const countSentence = lineNumbers.length > 1 ? `${readingTexts.found(lineNumbers)}\n` : '';
  return countSentence + [...new Set(shownBlocks)].join('\n…\n');
}

function readBlockAround(lines: SourceLines, position: number, length: number): string {
  const line = lineAt(lines, position);
  const { start, end } = rangeOfLines(lines, line, line);
  if (end - start > MAX_WHOLE_LINE) {
    const [excerptStart, excerptEnd] = [
      Math.max(start, position - CONTEXT_CHARACTERS),
      Math.min(end, position + length + CONTEXT_CHARACTERS),
    ];
    const piece = lines.source.slice(excerptStart, excerptEnd).toWellFormed();
    return `${line}: ${excerptStart > start ? '…' : ''}${piece}${excerptEnd < end ? '…' : ''}`;
  }
  const firstLine = Math.max(1, line - CONTEXT_LINES);
  const lastLine = Math.min(lines.starts.length, line + CONTEXT_LINES);
  return numberLines(lines, { first: firstLine, last: lastLine, longest: MAX_WHOLE_LINE * 4 }).text;
}

/**
 * The positions of a text: as it is written, or else in any letter case and with other white space.
 */
function findTextPositions(source: string, text: string): number[] {
  const exactPositions = findTextOccurrences(source, text);
  if (exactPositions.length > 0) return exactPositions;
  const form = createNormalForm(source);
  const normalizedText = createNormalForm(text.trim()).text.toLowerCase();
  return normalizedText === ''
    ? []
    : findTextOccurrences(lowerSameLength(form.text), normalizedText).map(
        (position) => form.starts[position]!,
      );
}

/**
 * A text in lower case, with the same length. Some letters become longer in lower case; these stay.
 */
const lowerSameLength = (text: string) => {
  const lower = text.toLowerCase();
  return lower.length === text.length
    ? lower
    : text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
};
