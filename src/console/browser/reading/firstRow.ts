import { isKnownName } from './knownNames.ts';

/** What the first row of a table holds. */
export type FirstRow = 'names' | 'values' | 'unsure';

/** How many rows are enough to judge a column. */
const SAMPLE_ROWS = 50;
const NAME_LENGTH = 60;
const SENTENCE_LENGTH = 25;

/** Evidence of this weight, for or against, decides. */
const ENOUGH = 2;

/**
 * Recognizes whether the first row of a table names its columns: by common names of columns, and by
 * how the row differs from those below.
 */
export function recognizeFirstRow([first = [], ...below]: string[][]): FirstRow {
  const rows = below.slice(0, SAMPLE_ROWS);
  const columns = first.map((cell, at) => ({
    cell,
    values: rows.map((row) => row[at] ?? '').filter(Boolean),
  }));
  const weight =
    weightOfNames(first) + strongest(columns.map(evidenceIn)) + weightOfShape(first, columns);
  if (weight >= ENOUGH) return 'names';
  return weight <= -ENOUGH ? 'values' : 'unsure';
}

function weightOfNames(first: string[]): number {
  const filled = first.filter(Boolean);
  const known = filled.filter(isKnownName).length;
  if (known === 0) return 0;
  return known * 2 >= filled.length ? 3 : 2;
}

/** Adds up the strongest evidence for names and the strongest against them. */
const strongest = (weights: number[]) => Math.max(0, ...weights) + Math.min(0, ...weights);

interface ColumnValues {
  cell: string;
  values: string[];
}

/**
 * The evidence of one column. Above 0 if its first cell differs from those below as a name does;
 * below 0 if its first cell looks like a value.
 */
function evidenceIn({ cell, values }: ColumnValues): number {
  if (cell === '') return 0;
  if (isYear(cell) && values.every((value) => kindOf(value) === 'number')) return 0;
  if (kindOf(cell) !== 'text' || isSentence(cell)) return -2;
  if (isKnownName(cell)) return typed(values) ? 2 : 0;
  if (values.some((value) => value.toLowerCase() === cell.toLowerCase())) return -2;
  if (typed(values)) return 2;
  return 0;
}

function weightOfShape(first: string[], columns: ColumnValues[]): number {
  const filled = first.filter(Boolean).map((cell) => cell.toLowerCase());
  const isTwice = new Set(filled).size < filled.length;
  const isNameless = columns.some(({ cell, values }) => cell === '' && values.length > 0);
  const isLabelled = filled.some((cell) => /[:*]$|^[a-z][a-z\d]*(?:_[a-z\d]+)+$/.test(cell));
  const isShort = columns.some(
    ({ cell, values }) => cell && mean(values) > Math.max(30, cell.length * 3),
  );
  return Number(isLabelled) + Number(isShort) - Number(isTwice) - Number(isNameless);
}

const mean = (values: string[]) =>
  values.length === 0 ? 0 : values.reduce((sum, { length }) => sum + length, 0) / values.length;

/**
 * Whether at least three of five values are numbers, prices, dates, telephone numbers, URLs or
 * e-mail addresses.
 */
const typed = (values: string[]) =>
  values.length > 0 &&
  values.filter((value) => kindOf(value) !== 'text').length * 5 >= values.length * 3;

const isYear = (cell: string) => /^(?:19|20)\d\d$/.test(cell);
const isSentence = (cell: string) =>
  cell.length > NAME_LENGTH ||
  cell.includes('\n') ||
  (cell.length > SENTENCE_LENGTH && /[.!…]$/.test(cell));

function kindOf(cell: string): 'number' | 'link' | 'text' {
  if (/^(?:https?:\/\/|www\.|\/[^\s/])/i.test(cell) || /^[^\s@]{1,64}@[^\s@]{1,255}$/.test(cell))
    return 'link';
  const rest = cell.slice(0, NAME_LENGTH).replace(/[\d\s.,:;'’/()+\-–%°\p{Sc}]/gu, '');
  const isMeasure = rest.length <= 3 && rest.length * 2 <= cell.replace(/\D/g, '').length + 2;
  return /\d/.test(cell) && (rest === '' || isMeasure) ? 'number' : 'text';
}
