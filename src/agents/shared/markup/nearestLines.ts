import { likeness, letterPairs } from '../../../text/similarity.ts';
import { truncateText } from '../../../text/text.ts';
import { rangeOfLines, type SourceLines } from '../../../text/sourceLines.ts';

const MAX_NEAREST = 3;
/** Least similarity of a line, from 0 to 1. */
const MIN_LIKENESS = 0.3;
const LONGEST_LINE = 300;
const COMPARED_LENGTH = 400;
const MAX_SEARCHED_LINES = 20_000;

/** Names lines: `; nearest are line 12: <p>Text</p>`. */
export const describeLines = (lines: { line: number; text: string }[]): string =>
  lines.length === 0
    ? ''
    : `; nearest are ${lines.map(({ line, text }) => `line ${line}: ${truncateText(text, LONGEST_LINE)}`).join('; ')}`;

/** Names the lines most similar to the longest line of a text. */
export function describeNearestLines(lines: SourceLines, text: string): string {
  const longest = text
    .split('\n')
    .map((line) => line.trim())
    .reduce((first, second) => (second.length > first.length ? second : first), '');
  const wantedPairs = letterPairs(longest.slice(0, COMPARED_LENGTH));
  const similarLines: { line: number; text: string; alike: number }[] = [];
  for (let line = 1; line <= Math.min(lines.starts.length, MAX_SEARCHED_LINES); line++) {
    const { start, end } = rangeOfLines(lines, line, line);
    const lineText = lines.source.slice(start, end).trim();
    const score = likeness(letterPairs(lineText.slice(0, COMPARED_LENGTH)), wantedPairs);
    if (score >= MIN_LIKENESS) similarLines.push({ line, text: lineText, alike: score });
  }
  const nearest = similarLines
    .sort((first, second) => second.alike - first.alike || first.line - second.line)
    .slice(0, MAX_NEAREST);
  return describeLines(nearest);
}
