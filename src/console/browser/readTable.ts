import papa from 'papaparse';
import { BYTES_PER_BATCH, ROWS_PER_BATCH } from './table.ts';

export interface Table {
  names: string[];
  rows: string[][];
}

const MOST_COLUMNS = 200;
const NO_ROWS = 'A table has a row of names, and a row for each page below it.';

/**
 * Reads a table as spreadsheets copy it (with tabs) or save it (CSV). Its first row names the
 * columns.
 * @returns the table, or a sentence that says why there is none
 */
export function readTable(text: string): Table | string {
  const cells = readCells(text);
  return typeof cells === 'string' ? cells : tableOf(cells);
}

/**
 * Reads the cells of a copied or saved table: rows of the same length, without empty rows and
 * columns.
 * @returns the rows, or a sentence that says why there are none
 */
export function readCells(text: string): string[][] | string {
  if (text.length > BYTES_PER_BATCH)
    return `The table has ${text.length} characters. Take ${BYTES_PER_BATCH} at most.`;
  const cells = tidy(parse(text.trim()));
  return cells.length === 0 ? NO_ROWS : cells;
}

/** The line above a CSV in which Excel names the delimiter. */
const hint = /^sep=([,;|\t])\r?\n/i;
/** A delimiter that no text has. With it, each line is one cell. */
const NONE = '\u001f';

function parse(text: string): string[][] {
  const hinted = hint.exec(text);
  const first = text.slice(0, text.indexOf('\n') + 1 || undefined);
  const known = hinted?.[1] ?? (first.includes('\t') ? '\t' : undefined);
  const rest = text.slice(hinted?.[0].length);
  const found = parseWith(rest, known);
  return known === undefined && isOneColumn(found.data, rest, found.meta.delimiter)
    ? parseWith(rest, NONE).data
    : found.data;
}

const parseWith = (text: string, delimiter = '') =>
  papa.parse<string[]>(text, { skipEmptyLines: 'greedy', ...(delimiter && { delimiter }) });

/**
 * Whether the delimiters that were found are only punctuation: the first row has none, and the
 * other rows have different numbers of them, or have them only before spaces.
 */
function isOneColumn([first = [], ...rows]: string[][], text: string, delimiter: string): boolean {
  if (first.length > 1) return false;
  const isUneven = new Set(rows.map(({ length }) => length)).size > 1;
  return isUneven || text.replaceAll(`${delimiter} `, '').includes(delimiter) === false;
}

/** Trims the cells, makes all rows equally long, and removes empty rows and columns. */
export function tidy(cells: string[][]): string[][] {
  const trimmed = cells
    .map((row) => row.map((cell) => cell.trim()))
    .filter((row) => row.some(Boolean));
  const width = trimmed.reduce((most, row) => Math.max(most, row.length), 0);
  const used = Array.from({ length: width }, (_, at) => at).filter((at) =>
    trimmed.some((row) => row[at]),
  );
  return trimmed.map((row) => used.map((at) => row[at] ?? ''));
}

/**
 * Makes a table of cells.
 * @param isNamed whether the first row names the columns
 * @returns the table, or a sentence that says why there is none
 */
export function tableOf(cells: string[][], isNamed = true): Table | string {
  const [first = []] = cells;
  const rows = isNamed ? cells.slice(1) : cells;
  if (first.length === 0 || rows.length === 0) return NO_ROWS;
  if (rows.length > ROWS_PER_BATCH)
    return `There are ${rows.length} rows. Take ${ROWS_PER_BATCH} at most.`;
  if (first.length > MOST_COLUMNS)
    return `There are ${first.length} columns. Take ${MOST_COLUMNS} at most.`;
  return { names: first.map((name, at) => (isNamed && name) || columnName(at)), rows };
}

/** The cells that a table was made of: the opposite of `tableOf`. */
export function cellsOf(
  { names, rows }: { names: string[]; rows: { cells: string[] }[] },
  isNamed: boolean,
): string[][] {
  const first = names.map((name, at) => (name === columnName(at) ? '' : name));
  return [...(isNamed ? [first] : []), ...rows.map(({ cells }) => cells)];
}

/** A column's name from its index: A to Z, then AA, as in spreadsheets. */
const columnName = (at: number): string => `Column ${lettersOf(at)}`;
const lettersOf = (at: number): string =>
  (at >= 26 ? lettersOf(Math.floor(at / 26) - 1) : '') + String.fromCharCode(65 + (at % 26));
