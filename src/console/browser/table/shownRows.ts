import type { DraftLine } from './draftLines.ts';

/** The most rows that are shown at once. A longer table is shown in parts. */
export const ROWS_SHOWN = 50;

/** Which rows a person wants to see: all, those with problems, or those that were left out. */
export type RowFilter = 'all' | 'bad' | 'out';

/** The part of a table that is shown. */
export interface ShownRowRange {
  which: RowFilter;
  /**
   * The ids of the rows with this filter when the person chose it. Absent: all rows. The list does
   * not change afterwards, so that a row does not disappear while the person corrects it.
   */
  ids?: Set<number>;
  /** The index of the first row that is shown. */
  from: number;
}

export const wholeTable: ShownRowRange = { which: 'all', from: 0 };

/** The rows that match the filter, and those of them that are shown. */
export function shownLines(lines: DraftLine[], { ids, from }: ShownRowRange) {
  const chosenLines = ids ? lines.filter(({ row }) => ids.has(row.id)) : lines;
  const firstIndex = from < chosenLines.length ? from : 0;
  return {
    asked: chosenLines,
    first: firstIndex,
    shown: chosenLines.slice(firstIndex, firstIndex + ROWS_SHOWN),
  };
}
