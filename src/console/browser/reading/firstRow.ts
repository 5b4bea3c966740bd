import { isFilledRow } from '../table/readTextTable.ts';

const CELL_LENGTH = 60;

/**
 * Whether the first row of a table names its columns. It does unless one of its cells is a number,
 * a price, a date, a telephone number, a URL, an e-mail address or a long text. Years may be names.
 */
export const namesColumns = ([firstRow = []]: string[][]): boolean => !firstRow.some(isValue);

/** Rows among which the names of the columns are looked for. */
const HEADER_ROWS = 10;

/**
 * The index of the row that names the columns; null if no row does. Exports have titles above it:
 * rows, some of them empty, in which fewer than half of the cells are filled.
 */
export function findHeaderRow(cells: string[][]): number | null {
  const isTitle = (row: string[]) => row.filter(Boolean).length * 2 < row.length;
  const firstFullRow = cells.slice(0, HEADER_ROWS).findIndex((row) => !isTitle(row));
  const headerRow = firstFullRow === -1 ? cells.findIndex(isFilledRow) : firstFullRow;
  return namesColumns(cells.slice(headerRow)) ? headerRow : null;
}

function isValue(cell: string): boolean {
  if (cell.length > CELL_LENGTH || cell.includes('\n')) return true;
  if (/^(?:https?:\/\/|www\.|\/[^\s/])/i.test(cell) || /^[^\s@]{1,64}@[^\s@]{1,255}$/.test(cell))
    return true;
  if (/^(?:19|20)\d\d$/.test(cell)) return false;
  const letters = cell.replace(/[\d\s.,:;'’/()+\-–%°\p{Sc}]/gu, '');
  const digits = cell.replace(/\D/g, '');
  return digits !== '' && letters.length <= 3 && letters.length * 2 <= digits.length + 2;
}
