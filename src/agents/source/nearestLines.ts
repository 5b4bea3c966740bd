import { likeness, pairsOf } from '../../text/likeness.ts';
import { cut } from '../../text/text.ts';
import { rangeOfLines, type SourceLines } from '../../text/lines.ts';

const NEAREST = 3;
/** Least similarity of a line, from 0 to 1. */
const ALIKE = 0.3;
const LONGEST_LINE = 300;
const COMPARED = 400;
const MOST_LINES = 20_000;

/** The lines most similar to the longest line of a text: `; nearest are line 12: <p>Text</p>`. */
export function nearestLines(lines: SourceLines, text: string): string {
  const longest = text
    .split('\n')
    .map((line) => line.trim())
    .reduce((a, b) => (b.length > a.length ? b : a), '');
  const wanted = pairsOf(longest.slice(0, COMPARED));
  const found: { line: number; text: string; alike: number }[] = [];
  for (let line = 1; line <= Math.min(lines.starts.length, MOST_LINES); line++) {
    const { start, end } = rangeOfLines(lines, line, line);
    const own = lines.source.slice(start, end).trim();
    const alike = likeness(pairsOf(own.slice(0, COMPARED)), wanted);
    if (alike >= ALIKE) found.push({ line, text: own, alike });
  }
  const nearest = found
    .sort((a, b) => b.alike - a.alike || a.line - b.line)
    .slice(0, NEAREST)
    .map(({ line, text }) => `line ${line}: ${cut(text, LONGEST_LINE)}`);
  return nearest.length === 0 ? '' : `; nearest are ${nearest.join('; ')}`;
}
