import type { PageItem } from '../../contract/task.ts';
import { bare, oneLine } from './folded.ts';
import { isGivenPath } from './givenPath.ts';

/**
 * Where a column's values go: the new page's address, nowhere, or into lines `<label>: <value>` of
 * its context.
 */
export type Use = 'address' | 'out' | `as ${string}`;

export interface Column {
  name: string;
  use: Use;
  /**
   * For a column that gives the address: what its values are called in the context. Absent for
   * paths, which say nothing about their page.
   */
  label?: string;
}

/** A row, as it was pasted and as people changed it. */
export interface Row {
  /** Its number in the table, from 1. It stays when other rows go. */
  id: number;
  cells: string[];
  /** The address that a person typed. */
  typed?: string | undefined;
  /** Whether a person took it out. */
  isOut?: boolean;
  /** The task that makes its page. */
  taskId?: string;
}

export type Item = Pick<PageItem, 'targetPageSlug' | 'context'>;

/** Pages of one task. */
const ITEMS_PER_TASK = 10;
/** Most words that the cells of a column of names have, on average. */
const NAME_WORDS = 3.5;

/** Values that begin with as many same characters are the same. */
const COMPARED = 300;

const same = (text: string) => bare(text.slice(0, COMPARED));
const setOf = (words: string) => new Set(words.split(' '));
/** Columns that give a page's address, and those that do unless they hold streets or titles. */
const addressNames = setOf(
  'slug path url pageaddress pageurl pageslug targetpageslug urlpath permalink',
);
const perhapsAddressNames = setOf('address page');
/** Columns that say what a page is about, in the order of `addressColumn`. */
const subjectNames = setOf(
  'city town place location stadt ort standort ville ciudad citta cidade localidad localidade stad plats by miasto',
);
const nameNames = setOf(
  'name product service title titel nom nombre nome produkt produit producto prodotto produto',
);

export const rowsOf = (cells: string[][]): Row[] =>
  cells.map((row, at) => ({ id: at + 1, cells: row }));

/**
 * Rows that were read again, with what people changed before. They are matched from the end: the
 * first row may now count as names, or as values.
 */
export function withEdits(rows: Row[], former: Row[] = []): Row[] {
  const shift = former.length - rows.length;
  if (Math.abs(shift) > 1) return rows;
  return rows.map((row, at) => ({ ...former[at + shift], ...row }));
}

/**
 * What to do with each column at first: one gives the address, those that the template knows by
 * name go there, the others keep their names.
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

/** The columns as they are used: what a person chose goes before what is suggested. */
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

/** Whether a column holds paths, rather than names: it is called so, or most of its cells are. */
export function holdsPaths(name: string, rows: string[][], at: number): boolean {
  if (addressNames.has(same(name))) return true;
  const cells = rows.map((row) => (row[at] ?? '').trim()).filter(Boolean);
  const isPath = perhapsAddressNames.has(same(name))
    ? (cell: string) => !/\s/.test(cell)
    : isPagePath;
  return cells.filter(isPath).length * 2 > cells.length;
}

/** Begins with a slash, and is no picture. */
const isPagePath = (cell: string) =>
  /^\/(?!\/)[^\s?#]*$/.test(cell) && !/\.(?!html?$)\w{1,5}$/i.test(cell);

/**
 * The column that names each page best: one that is called so or holds paths, else one for cities,
 * for names, else the names that differ most. A cell that is empty or the same as another one
 * counts for its own row only.
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

/** How many different values a column has. */
const countIn = (rows: string[][], at: number) =>
  new Set(rows.map((row) => same(row[at] ?? '')).filter(Boolean)).size;

/** Whether most values are short, and begin with a letter: no sentences, numbers or prices. */
function isOfNames(rows: string[][], at: number): boolean {
  const cells = rows.map((row) => (row[at] ?? '').trim()).filter(Boolean);
  const words = cells.reduce((sum, cell) => sum + cell.split(/\s+/).length, 0);
  const named = cells.filter(
    (cell) => /^['’"]?\p{L}/u.test(cell) && !/[@:]|[.!?]$/.test(cell),
  ).length;
  return cells.length > 0 && words / cells.length <= NAME_WORDS && named * 2 > cells.length;
}

/** The column that the addresses come from. */
export function sourceColumn(columns: Column[], rows: string[][]): number {
  const chosen = columns.findIndex(({ use }) => use === 'address');
  if (chosen >= 0) return chosen;
  return addressColumn(
    columns.map(({ name }) => name),
    rows,
  );
}

/** A row's context: a line for each value, in the order of the columns. */
export const contextOf = (columns: Column[], row: string[]) =>
  columns
    .flatMap(({ use, label }, at) => {
      const value = oneLine(row[at] ?? '');
      const name = use === 'address' ? (isGivenPath(value) ? undefined : label) : labelIn(use);
      return name !== undefined && value !== '' ? [`${name}: ${value}`] : [];
    })
    .join('\n');

const labelIn = (use: Use) => (use.startsWith('as ') ? use.slice(3) : undefined);

/** The language that a row asks for its page: BCP 47 tag. */
export function languageIn(columns: Column[], row: string[]): string | undefined {
  const at = columns.findIndex(({ use }) => labelIn(use) === 'Language');
  const value = (row[at] ?? '').trim();
  return /^[a-z]{2,3}(?:[-_]\w{2,8}){0,5}$/i.test(value)
    ? value
    : spelledLanguages().get(value.toLowerCase());
}

/** Languages with letters that addresses write in a way of their own (slug.ts). */
const tags = 'az ca da de es et eu fi fr gl hu it nb nl nn no oc pt sr sv tr'.split(' ');
let languages: Map<string, string> | undefined;

/** By their names in English, in German and in themselves. */
function spelledLanguages(): Map<string, string> {
  const nameIn = (language: string, tag: string) =>
    new Intl.DisplayNames([language], { type: 'language' }).of(tag);
  const named = (tag: string) =>
    ['en', 'de', tag].map((own) => [nameIn(own, tag)?.toLowerCase() ?? tag, tag] as const);
  return (languages ??= new Map(tags.flatMap(named)));
}

/** Parts of ten: one task takes no more. */
export const inTasks = <T>(items: T[]): T[][] =>
  Array.from({ length: Math.ceil(items.length / ITEMS_PER_TASK) }, (_, at) =>
    items.slice(at * ITEMS_PER_TASK, (at + 1) * ITEMS_PER_TASK),
  );
