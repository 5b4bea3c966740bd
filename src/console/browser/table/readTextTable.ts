import papa from 'papaparse';
import { BYTES_PER_BATCH, ROWS_PER_BATCH } from './tableColumns.ts';

/** A table as texts: the names of its columns, and the cells of each row. */
export interface TextTable {
  names: string[];
  rows: string[][];
}

const MOST_COLUMNS = 200;
const NO_ROWS = 'A table needs a row of column names, and below it a row for each page.';

/**
 * Reads a table as spreadsheets copy it (with tabs) or save it (CSV). Its first row names the
 * columns.
 * @returns the table, or a sentence that says why there is none
 */
export function readTextTable(text: string): TextTable | string {
  const cells = readCells(text);
  return typeof cells === 'string' ? cells : tableFromCells(cells, cells.findIndex(isFilledRow));
}

/**
 * Reads the cells of a copied or saved table: rows of the same length, without empty columns. Empty
 * rows between others stay, so that a row has the number that it has in the spreadsheet.
 * @returns the rows, or a sentence that says why there are none
 */
export function readCells(text: string): string[][] | string {
  if (text.length > BYTES_PER_BATCH)
    return `The table has ${text.length} characters. The limit is ${BYTES_PER_BATCH}. Split the table.`;
  const cells = tidyCells(parseTable(text.replace(/^\uFEFF/, '').trimEnd()));
  return cells.length === 0 ? NO_ROWS : cells;
}

/** The line above a CSV in which Excel names the delimiter. */
const delimiterHintLine = /^sep=([,;|\t])\r?\n/i;
/** A delimiter that no text has. With it, each line is one cell. */
const NONE = '\u001f';

function parseTable(text: string): string[][] {
  const hintMatch = delimiterHintLine.exec(text);
  const firstLine = text.slice(0, text.indexOf('\n', text.search(/\S/)) + 1 || undefined);
  const delimiter = hintMatch?.[1] ?? (firstLine.includes('\t') ? '\t' : undefined);
  const tableText = text.slice(hintMatch?.[0].length);
  return papa.parse<string[]>(tableText, { delimiter: delimiter ?? findDelimiter(tableText) }).data;
}

/** The delimiter of a CSV; one that it does not contain if it has a single column. */
function findDelimiter(text: string): string {
  const { data, meta } = papa.parse<string[]>(text, { skipEmptyLines: 'greedy' });
  return isOneColumn(data, text, meta.delimiter) ? NONE : meta.delimiter;
}

/**
 * Whether the delimiters that were found are only punctuation: the first row has none, and the
 * other rows have different numbers of them, or have them only before spaces.
 */
function isOneColumn(
  [firstRow = [], ...rows]: string[][],
  text: string,
  delimiter: string,
): boolean {
  if (firstRow.length > 1) return false;
  // the titles above the names of an export have one cell
  const table = rows.slice(
    Math.max(
      0,
      rows.findIndex(({ length }) => length > 1),
    ),
  );
  const isUneven = new Set(table.map(({ length }) => length)).size > 1;
  return isUneven || text.replaceAll(`${delimiter} `, '').includes(delimiter) === false;
}

/** Trims the cells, makes all rows equally long, and removes empty columns and last rows. */
export function tidyCells(cells: string[][]): string[][] {
  const allRows = cells.map((row) => row.map((cell) => cell.trim()));
  const trimmedRows = allRows.slice(0, allRows.findLastIndex(isFilledRow) + 1);
  const columnCount = trimmedRows.reduce((widest, row) => Math.max(widest, row.length), 0);
  const usedColumns = Array.from({ length: columnCount }, (_, columnIndex) => columnIndex).filter(
    (columnIndex) => trimmedRows.some((row) => row[columnIndex]),
  );
  return trimmedRows.map((row) => usedColumns.map((columnIndex) => row[columnIndex] ?? ''));
}

/** Whether a row has a cell that is not empty. */
export const isFilledRow = (row: string[]): boolean => row.some(Boolean);

/**
 * Splits cells into the names of the columns and the rows.
 * @param headerRow the index of the row that names the columns; rows above it are titles, which are
 *   left out. null: every row becomes a page
 * @returns the table, or a sentence that says why there is none
 */
export function tableFromCells(
  cells: string[][],
  headerRow: number | null = 0,
): TextTable | string {
  const isNamed = headerRow !== null;
  const firstRow = cells[headerRow ?? 0] ?? [];
  const rows = cells.slice(isNamed ? headerRow + 1 : 0).filter(isFilledRow);
  if (firstRow.length === 0 || rows.length === 0) return NO_ROWS;
  if (rows.length > ROWS_PER_BATCH)
    return `The table has ${rows.length} rows. The limit is ${ROWS_PER_BATCH}. Split the table.`;
  if (firstRow.length > MOST_COLUMNS)
    return `The table has ${firstRow.length} columns. The limit is ${MOST_COLUMNS}. Remove columns.`;
  return {
    names: firstRow.map((name, columnIndex) => (isNamed && name) || columnName(columnIndex)),
    rows,
  };
}

/** The cells that a table was made from: the reverse of `tableFromCells`. */
export function cellsFromTable(
  { names, rows }: { names: string[]; rows: { cells: string[] }[] },
  isNamed: boolean,
): string[][] {
  const namesRow = names.map((name, columnIndex) => (name === columnName(columnIndex) ? '' : name));
  return [...(isNamed ? [namesRow] : []), ...rows.map(({ cells }) => cells)];
}

/** A column's name from its index: A to Z, then AA, as in spreadsheets. */
const columnName = (columnIndex: number): string => `Column ${columnLetters(columnIndex)}`;
const columnLetters = (columnIndex: number): string =>
  (columnIndex >= 26 ? columnLetters(Math.floor(columnIndex / 26) - 1) : '') +
  String.fromCharCode(65 + (columnIndex % 26));
