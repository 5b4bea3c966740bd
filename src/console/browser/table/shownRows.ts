import type { DraftLine } from './draftLines.ts';

/** The most rows that are shown at once: of a longer table, a part is. */
export const ROWS_SHOWN = 50;

/** All rows, those with problems, or those that were left out. */
export type RowFilter = 'all' | 'bad' | 'out';

/** The part of a table that is shown. */
export interface ShownRowRange {
  which: RowFilter;
  /**
   * The rows that are asked for, by their ids; absent: all. They are those of the moment of the
   * choice, so that a row does not disappear while somebody mends it.
   */
  ids?: Set<number>;
  /** Index of the first one. */
  from: number;
}

export const wholeTable: ShownRowRange = { which: 'all', from: 0 };

/** The rows that are asked for, and those of them that are shown. */
export function shownLines(lines: DraftLine[], { ids, from }: ShownRowRange) {
  const chosenLines = ids ? lines.filter(({ row }) => ids.has(row.id)) : lines;
  const firstIndex = from < chosenLines.length ? from : 0;
  return {
    asked: chosenLines,
    first: firstIndex,
    shown: chosenLines.slice(firstIndex, firstIndex + ROWS_SHOWN),
  };
}
