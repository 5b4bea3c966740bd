import type { batchLimits } from '../../../contract/batches/batch.ts';
import type { PageItem } from '../../../contract/task.ts';
import { bareText, singleLine } from './foldCharacters.ts';
import { isEnteredPath } from './enteredPath.ts';

/**
 * The use of a column's values: `out` (none), `address` (the new page's path), or `as <label>` (a
 * line `<label>: <value>` of the page's context, the text from which the page is written).
 */
export type ColumnUse = 'address' | 'out' | `as ${string}`;

/** A column of the table, and what its values are used for. */
export interface TableColumn {
  name: string;
  use: ColumnUse;
  /**
   * Only for a column that gives the address: the label of its values in the context. Absent if the
   * values are paths, which say nothing about their page.
   */
  label?: string;
}

/** A row of the pasted table, with what people changed in it. */
export interface DraftRow {
  /** The row's number in the table, from 1. It stays when other rows are removed. */
  id: number;
  cells: string[];
  /** The address that a person typed for the row's page. */
  typed?: string | undefined;
  /** Whether a person has left the row out. */
  isOut?: boolean;
}

export type DraftItem = Pick<PageItem, 'targetPageSlug' | 'context'>;

/** The most pages of one task. */
export const ITEMS_PER_TASK = 10;
/** The most rows of one batch, and bytes of its request. They also limit a table. */
export const ROWS_PER_BATCH: typeof batchLimits.rows = 5_000;
export const BYTES_PER_BATCH: typeof batchLimits.bodyBytes = 20_000_000;
/** The most words that cells in a column of names have, on average. */
const NAME_WORDS = 3.5;

/** How many characters of values are compared. */
const COMPARED = 300;

const foldName = (text: string) => bareText(text.slice(0, COMPARED));
const nameSet = (words: string) => new Set(words.split(' '));
/**
 * Names of columns that give a page's address. Columns with the second set of names may also hold
 * streets or titles.
 */
const addressNames = nameSet(
  'slug path url pageaddress pageurl pageslug targetpageslug urlpath permalink',
);
const perhapsAddressNames = nameSet('address page');
/** Names of columns that say what a page is about. `addressColumn` tries the first set first. */
const subjectNames = nameSet(
  'city town place location stadt ort standort ville ciudad citta cidade localidad localidade stad plats by miasto',
);
const nameNames = nameSet(
  'name product service title titel nom nombre nome produkt produit producto prodotto produto',
);

export const draftRows = (cells: string[][]): DraftRow[] =>
  cells.map((rowCells, rowIndex) => ({ id: rowIndex + 1, cells: rowCells }));

/**
 * Adds people's earlier changes to rows that were read again. Rows are matched from the end,
 * because the first row may count as names in one reading and as values in the other.
 */
export function withEdits(rows: DraftRow[], formerRows: DraftRow[] = []): DraftRow[] {
  const shift = formerRows.length - rows.length;
  if (Math.abs(shift) > 1) return rows;
  return rows.map((row, rowIndex) => ({ ...formerRows[rowIndex + shift], ...row }));
}

/**
 * Suggests a use for each column. One column gives the address. Columns that match a label of the
 * template fill that label. All others become lines with their own names.
 */
export function suggestUses(names: string[], rows: string[][], labels: string[]): TableColumn[] {
  const addressIndex = addressColumn(names, rows);
  return names.map((name, columnIndex) => {
    const isOnlyAddress = columnIndex === addressIndex && holdsPaths(name, rows, columnIndex);
    return { name, use: isOnlyAddress ? 'address' : `as ${knownLabel(name, labels)}` };
  });
}

const knownLabel = (name: string, labels: string[]) =>
  labels.find((candidate) => foldName(candidate) === foldName(name)) ?? name;

/** The columns with their uses. A person's choice has priority over the suggestion. */
export function tableColumns(
  { names, rows }: { names: string[]; rows: string[][] },
  labels: string[],
  chosen: Record<number, ColumnUse>,
): TableColumn[] {
  return suggestUses(names, rows, labels).map(({ name, use: suggested }, columnIndex) => {
    const use = chosen[columnIndex] ?? suggested;
    const isText = use === 'address' && !holdsPaths(name, rows, columnIndex);
    return isText ? { name, use, label: knownLabel(name, labels) } : { name, use };
  });
}

/** Whether a column contains paths, not names: by its name, or because most of its cells do. */
export function holdsPaths(name: string, rows: string[][], columnIndex: number): boolean {
  if (addressNames.has(foldName(name))) return true;
  const cells = rows.map((row) => (row[columnIndex] ?? '').trim()).filter(Boolean);
  const isPath = perhapsAddressNames.has(foldName(name))
    ? (cell: string) => !/\s/.test(cell)
    : isPagePath;
  return cells.filter(isPath).length * 2 > cells.length;
}

/**
 * Whether a cell is a path that begins with one slash, and has no file ending but `.html` or
 * `.htm`.
 */
const isPagePath = (cell: string) =>
  /^\/(?!\/)[^\s?#]*$/.test(cell) && !/\.(?!html?$)\w{1,5}$/i.test(cell);

/**
 * The index of the column that identifies each page best. A column with a name such as `URL` has
 * priority. Columns of paths, of places and of names follow, if more than half of their values
 * differ. Otherwise it is the column with the most different values, if possible one with names.
 */
export function addressColumn(names: string[], rows: string[][]): number {
  const distinctCounts = names.map((_, columnIndex) => distinctCount(rows, columnIndex));
  const differs = (columnIndex: number) =>
    distinctCounts[columnIndex]! * 2 >
    rows.filter((row) => (row[columnIndex] ?? '').trim() !== '').length;
  const findNamedColumn = (words: Set<string>) =>
    names.findIndex((name, columnIndex) => words.has(foldName(name)) && differs(columnIndex));
  const namedColumn = names.findIndex(
    (name, columnIndex) => addressNames.has(foldName(name)) && distinctCounts[columnIndex]! > 0,
  );
  const pathColumn = names.findIndex(
    (name, columnIndex) => holdsPaths(name, rows, columnIndex) && differs(columnIndex),
  );
  const foundColumn = [
    namedColumn,
    pathColumn,
    findNamedColumn(subjectNames),
    findNamedColumn(nameNames),
  ].find((columnIndex) => columnIndex >= 0);
  if (foundColumn !== undefined) return foundColumn;
  const nameCounts = distinctCounts.map((count, columnIndex) =>
    holdsNames(rows, columnIndex) ? count : 0,
  );
  const rankedCounts = nameCounts.some((count) => count > 0) ? nameCounts : distinctCounts;
  return Math.max(rankedCounts.indexOf(Math.max(...rankedCounts)), 0);
}

/** The number of different values in a column. */
const distinctCount = (rows: string[][], columnIndex: number) =>
  new Set(rows.map((row) => foldName(row[columnIndex] ?? '')).filter(Boolean)).size;

/** Whether most values are short and begin with a letter, unlike sentences, numbers and prices. */
function holdsNames(rows: string[][], columnIndex: number): boolean {
  const cells = rows.map((row) => (row[columnIndex] ?? '').trim()).filter(Boolean);
  const wordCount = cells.reduce((total, cell) => total + cell.split(/\s+/).length, 0);
  const nameCount = cells.filter(
    (cell) => /^['’"]?\p{L}/u.test(cell) && !/[@:]|[.!?]$/.test(cell),
  ).length;
  return cells.length > 0 && wordCount / cells.length <= NAME_WORDS && nameCount * 2 > cells.length;
}

/** The index of the column that the addresses come from. */
export function sourceColumn(columns: TableColumn[], rows: string[][]): number {
  const chosenColumn = columns.findIndex(({ use }) => use === 'address');
  if (chosenColumn >= 0) return chosenColumn;
  return addressColumn(
    columns.map(({ name }) => name),
    rows,
  );
}

/** The context of a row's page, with a line for each value: `City: Lisbon\nPhone: +351 21`. */
export const rowContext = (columns: TableColumn[], row: string[]) =>
  columns
    .flatMap(({ use, label }, columnIndex) => {
      const value = singleLine(row[columnIndex] ?? '');
      const name = use === 'address' ? (isEnteredPath(value) ? undefined : label) : labelOfUse(use);
      return name !== undefined && value !== '' ? [`${name}: ${value}`] : [];
    })
    .join('\n');

const labelOfUse = (use: ColumnUse) => (use.startsWith('as ') ? use.slice(3) : undefined);

/**
 * The language that a row's `Language` column asks for: a BCP 47 tag; undefined if there is none.
 */
export function rowLanguage(columns: TableColumn[], row: string[]): string | undefined {
  const columnIndex = columns.findIndex(({ use }) => labelOfUse(use) === 'Language');
  const value = (row[columnIndex] ?? '').trim();
  return /^[a-z]{2,3}(?:[-_]\w{2,8}){0,5}$/i.test(value) ? value : undefined;
}

/** Splits items into parts of ten, the most that one task takes. */
export const chunkForTasks = <T>(items: T[]): T[][] =>
  Array.from({ length: Math.ceil(items.length / ITEMS_PER_TASK) }, (_, chunkIndex) =>
    items.slice(chunkIndex * ITEMS_PER_TASK, (chunkIndex + 1) * ITEMS_PER_TASK),
  );
