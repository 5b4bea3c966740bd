import type { TextRange } from './textRange.ts';

/** The lines of a source, without their ends. Lines are counted from 1. */
export interface SourceLines {
  source: string;
  /** Where each line begins. */
  starts: number[];
  /** How the source ends its lines. */
  end: '\n' | '\r\n';
}

/** Finds the lines of a source. */
export function sourceLines(source: string): SourceLines {
  const starts = [0];
  for (
    let newlineAt = source.indexOf('\n');
    newlineAt !== -1;
    newlineAt = source.indexOf('\n', newlineAt + 1)
  )
    starts.push(newlineAt + 1);
  if (starts.length > 1 && starts.at(-1) === source.length) starts.pop();
  return { source, starts, end: /\r\n/.test(source) ? '\r\n' : '\n' };
}

/** Where an offset of a source is: `Line 3, column 14`. */
export function describePosition(source: string, offset: number): string {
  const before = source.slice(0, offset).split('\n');
  return `Line ${before.length}, column ${before.at(-1)!.length + 1}`;
}

/** The number of the line that has a position. */
export function lineAt({ starts }: SourceLines, position: number): number {
  let [low, high] = [0, starts.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (starts[middle]! <= position) low = middle;
    else high = middle;
  }
  return low + 1;
}

/** The range from the first to the last of some lines, without the end of the last one. */
export function rangeOfLines(
  { source, starts }: SourceLines,
  first: number,
  last: number,
): TextRange {
  const nextStart = starts[last] ?? source.length;
  const text = source.slice(starts[first - 1], nextStart);
  return { start: starts[first - 1]!, end: nextStart - (/\r?\n$/.exec(text)?.[0].length ?? 0) };
}

/** A text with the line ends of a source. */
export const useLineEnds = (text: string, { end }: Pick<SourceLines, 'end'>): string =>
  text.replace(/\r?\n/g, end);
