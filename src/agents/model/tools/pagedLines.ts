import { asOneLine } from '../../../text/text.ts';

const MAX_NAMED = 10;

/** `/a, /b and 3 more` */
export function listBriefly(names: (string | number)[]): string {
  const omittedCount = names.length - MAX_NAMED;
  return (
    asOneLine(names.slice(0, MAX_NAMED).join(', ')) +
    (omittedCount > 0 ? ` and ${omittedCount} more` : '')
  );
}

/** `1 page`, `3 pages` */
export const formatCount = (count: number, noun: string) =>
  `${count} ${noun}${count === 1 ? '' : 's'}`;

/** The last line of a list that goes on: how many lines follow, and from where to read them. */
export const continuationLine = (remainingCount: number, nextName: string | number) =>
  `${remainingCount} more: from ${nextName}`;

/**
 * As many lines as fit, from an index on. If there are more, a last line says how many, and from
 * where to read on.
 */
export function createPagedLines(
  lines: string[],
  firstIndex: number,
  {
    longest: maxLength,
    nameAt: createIndexName,
  }: { longest: number; nameAt: (index: number) => string | number },
): string {
  const shownLines: string[] = [];
  let length = 0;
  for (const line of lines.slice(firstIndex)) {
    length += line.length + 1;
    if (length > maxLength) break;
    shownLines.push(line);
  }
  const nextIndex = firstIndex + shownLines.length;
  const continuation =
    nextIndex === lines.length
      ? []
      : [continuationLine(lines.length - nextIndex, createIndexName(nextIndex))];
  return [...shownLines, ...continuation].join('\n');
}
