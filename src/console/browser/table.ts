import type { batchLimits } from '../../contract/batch.ts';
import type { PageItem } from '../../contract/task.ts';
import { bare, oneLine } from './folded.ts';
import { isGivenPath } from './givenPath.ts';

/**
 * Where a column's values go: nowhere, into the new page's address, or into lines of the page's
 * context, as `<label>: <value>`.
 */
export type Use = 'address' | 'out' | `as ${string}`;

export interface Column {
  name: string;
  use: Use;
  /**
   * Only for a column that gives the address: the label of its values in the context. Absent if the
   * values are paths, which say nothing about their page.
   */
  label?: string;
}

/** A row of the pasted table, with what people changed in it. */
export interface Row {
  /** The row's number in the table, from 1. It stays when other rows are removed. */
  id: number;
  cells: string[];
  /** The address that a person typed for the row's page. */
  typed?: string | undefined;
  /** Whether a person took the row out. */
  isOut?: boolean;
}

export type Item = Pick<PageItem, 'targetPageSlug' | 'context'>;

/** The most pages of one task. */
export const ITEMS_PER_TASK = 10;
/** The most rows of one batch, and bytes of its request: so much a table may have. */
export const ROWS_PER_BATCH: typeof batchLimits.rows = 5_000;
export const BYTES_PER_BATCH: typeof batchLimits.bodyBytes = 20_000_000;
/** The most words that cells in a column of names have, on average. */
const NAME_WORDS = 3.5;

/** Only so many characters of two values are compared. */
const COMPARED = 300;

const same = (text: string) => bare(text.slice(0, COMPARED));
const setOf = (words: string) => new Set(words.split(' '));
/**
 * Names of columns that give a page's address. Columns with the second set of names may also hold
 * streets or titles.
 */
const addressNames = setOf(
  'slug path url pageaddress pageurl pageslug targetpageslug urlpath permalink',
);
const perhapsAddressNames = setOf('address page');
/** Names of columns that say what a page is about. `addressColumn` tries the first set first. */
const subjectNames = setOf(
  'city town place location stadt ort standort ville ciudad citta cidade localidad localidade stad plats by miasto',
);
const nameNames = setOf(
  'name product service title titel nom nombre nome produkt produit producto prodotto produto',
);

export const rowsOf = (cells: string[][]): Row[] =>
  cells.map((row, at) => ({ id: at + 1, cells: row }));

/**
 * Adds people's earlier changes to rows that were read again. Rows are matched from the end,
 * because the first row may count as names in one reading and as values in the other.
 */
export function withEdits(rows: Row[], former: Row[] = []): Row[] {
  const shift = former.length - rows.length;
  if (Math.abs(shift) > 1) return rows;
  return rows.map((row, at) => ({ ...former[at + shift], ...row }));
}

/**
 * Suggests a use for each column. One column gives the address. Columns that match a label of the
 * template fill that label. All others become lines with their own names.
 */
export function suggest(names: string[], rows: string[][], labels: string[]): Column[] {
  const address = addressColumn(names, rows);
  return names.map((name, at) => {
    const isOnlyAddress = at === address && holdsPaths(name, rows, at);
    return { name, use: isOnlyAddress ? 'address' : `as ${knownAs(name, labels)}` };
  });
}

const knownAs = (name: string, labels: string[]) =>
  labels.find((label) => same(label) === same(name)) ?? name;

/** The columns with their uses. A person's choice goes before the suggestion. */
export function columnsOf(
  { names, rows }: { names: string[]; rows: string[][] },
  labels: string[],
  chosen: Record<number, Use>,
): Column[] {
  return suggest(names, rows, labels).map(({ name, use: suggested }, at) => {
    const use = chosen[at] ?? suggested;
    const isText = use === 'address' && !holdsPaths(name, rows, at);
    return isText ? { name, use, label: knownAs(name, labels) } : { name, use };
  });
}

/**
 * Whether a column holds paths rather than names: its name says so, or most of its cells are paths.
 */
export function holdsPaths(name: string, rows: string[][], at: number): boolean {
  if (addressNames.has(same(name))) return true;
  const cells = rows.map((row) => (row[at] ?? '').trim()).filter(Boolean);
  const isPath = perhapsAddressNames.has(same(name))
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
 * The index of the column that names each page best. A column that is called an address goes first.
 * Columns of paths, of places and of names follow, if more than half of their values differ. Else
 * it is the column with the most different values, preferably one that looks like names.
 */
export function addressColumn(names: string[], rows: string[][]): number {
  const counts = names.map((_, at) => countIn(rows, at));
  const differs = (at: number) =>
    counts[at]! * 2 > rows.filter((row) => (row[at] ?? '').trim() !== '').length;
  const called = (words: Set<string>) =>
    names.findIndex((name, at) => words.has(same(name)) && differs(at));
  const named = names.findIndex((name, at) => addressNames.has(same(name)) && counts[at]! > 0);
  const paths = names.findIndex((name, at) => holdsPaths(name, rows, at) && differs(at));
  const found = [named, paths, called(subjectNames), called(nameNames)].find((at) => at >= 0);
  if (found !== undefined) return found;
  const ofNames = counts.map((count, at) => (isOfNames(rows, at) ? count : 0));
  const ranked = ofNames.some((count) => count > 0) ? ofNames : counts;
  return Math.max(ranked.indexOf(Math.max(...ranked)), 0);
}

/** The number of different values in a column. */
const countIn = (rows: string[][], at: number) =>
  new Set(rows.map((row) => same(row[at] ?? '')).filter(Boolean)).size;

/** Whether most values are short and begin with a letter, unlike sentences, numbers and prices. */
function isOfNames(rows: string[][], at: number): boolean {
  const cells = rows.map((row) => (row[at] ?? '').trim()).filter(Boolean);
  const words = cells.reduce((sum, cell) => sum + cell.split(/\s+/).length, 0);
  const named = cells.filter(
    (cell) => /^['’"]?\p{L}/u.test(cell) && !/[@:]|[.!?]$/.test(cell),
  ).length;
  return cells.length > 0 && words / cells.length <= NAME_WORDS && named * 2 > cells.length;
}

/** The index of the column that the addresses come from. */
export function sourceColumn(columns: Column[], rows: string[][]): number {
  const chosen = columns.findIndex(({ use }) => use === 'address');
  if (chosen >= 0) return chosen;
  return addressColumn(
    columns.map(({ name }) => name),
    rows,
  );
}

/** The context of a row's page: a line for each value, in the order of the columns. */
export const contextOf = (columns: Column[], row: string[]) =>
  columns
    .flatMap(({ use, label }, at) => {
      const value = oneLine(row[at] ?? '');
      const name = use === 'address' ? (isGivenPath(value) ? undefined : label) : labelIn(use);
      return name !== undefined && value !== '' ? [`${name}: ${value}`] : [];
    })
    .join('\n');

const labelIn = (use: Use) => (use.startsWith('as ') ? use.slice(3) : undefined);

/**
 * The language that a row's `Language` column asks for: a BCP 47 tag; undefined if there is none.
 */
export function languageIn(columns: Column[], row: string[]): string | undefined {
  const at = columns.findIndex(({ use }) => labelIn(use) === 'Language');
  const value = (row[at] ?? '').trim();
  return /^[a-z]{2,3}(?:[-_]\w{2,8}){0,5}$/i.test(value) ? value : undefined;
}

/** Splits items into parts of ten, the most that one task takes. */
export const inTasks = <T>(items: T[]): T[][] =>
  Array.from({ length: Math.ceil(items.length / ITEMS_PER_TASK) }, (_, at) =>
    items.slice(at * ITEMS_PER_TASK, (at + 1) * ITEMS_PER_TASK),
  );
