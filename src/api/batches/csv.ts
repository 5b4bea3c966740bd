import papa from 'papaparse';
import { batchLimits } from '../../contract/batch.ts';
import { limits } from '../../contract/task.ts';
import { invalidInput } from '../../errors.ts';
import { cellText } from '../../text/text.ts';
import { textFault } from '../textSchema.ts';

/** Columns with a meaning of their own. */
const known = ['targetPageSlug', 'context', 'externalId', 'templatePageSlug', 'facts'] as const;
type Known = (typeof known)[number];
const isKnown = (name: string): name is Known => (known as readonly string[]).includes(name);

/** Longest name of a column that is shown. */
const NAME_LENGTH = 60;
const MOST_COLUMNS = 500;

/** A line above the header by which Excel names the delimiter. */
const hint = /^sep=([,;\t])\r?\n/i;

/** A row of a table, with an error where its cells do not fit the header. */
export interface TableRow {
  row: Partial<Record<Known, string>>;
  error?: string;
}

/** How a table is written, as its first part tells. */
export interface TableForm {
  delimiter: string;
  /** The line break after the header. */
  newline: '\n' | '\r' | '\r\n';
  /** Characters before the first row, which are no row. */
  skip: number;
  /** '' for one without a name. */
  columns: string[];
}

/** A part of a table, which begins with a row. */
export interface TablePart {
  text: string;
  /** Whether the text ends the table, so that its last row is whole. */
  isLast: boolean;
  /** Absent: the part begins with the header. */
  form?: TableForm;
  /** Rows of the parts before. */
  before: number;
}

export interface ReadPart {
  rows: TableRow[];
  /** Absent: the header is not whole yet. */
  form?: TableForm;
  /** Characters that were read: the next part begins behind them. */
  used: number;
  /** Lines that were read, empty ones too. */
  lines: number;
}

/**
 * Reads the whole rows of a part of a table (RFC 4180) with commas, semicolons or tabs. Its first
 * line names the columns. Without a column `context`, the context has a line `Column: value` for
 * each other column. Cells are texts, whatever they begin with; `="0123"` is the text 0123.
 * @throws DomainError INVALID_INPUT
 */
export function readTablePart({ text, isLast, form, before }: TablePart): ReadPart {
  const written = form ?? { ...formOf(text, isLast), columns: undefined };
  const { data, errors, cursor } = parse(text.slice(written.skip), written, isLast);
  const lines = data.map((cells) => ({ cells, isBlank: cells.join('').trim() === '' }));
  const whole = lines.filter(({ isBlank }) => !isBlank).map(({ cells }) => cells);
  // what seems wrong in a row that is cut may be right in the whole one
  const fault = errors.find(({ row }) => isLast || row < data.length);
  if (fault) {
    const above = lines.slice(0, fault.row).filter(({ isBlank }) => !isBlank).length;
    const number = before + above + (form ? 1 : 0);
    const place = number === 0 ? 'the header' : `row ${number}`;
    throw wrong(`the quotes of ${place} are wrong: ${fault.message}`);
  }
  if (!form && whole.length === 0 && !isLast) return { rows: [], used: 0, lines: 0 };
  const columns = written.columns ?? columnsOf(whole.shift() ?? []);
  const { rows: most } = batchLimits;
  if (before + whole.length > most)
    throw invalidInput(`Invalid request body: rows must contain 1 to ${most} rows`);
  return {
    rows: whole.map((cells) => rowOf(columns, cells, written.delimiter)),
    form: { ...written, skip: 0, columns },
    used: written.skip + cursor,
    lines: lines.length,
  };
}

/** What papaparse's types leave out. */
interface Parsed {
  data: string[][];
  errors: { row: number; message: string }[];
  meta: { cursor: number };
}

/** @returns the rows, without one that is not whole, and where that begins */
function parse(
  source: string,
  { delimiter, newline }: Omit<TableForm, 'columns'>,
  isLast: boolean,
) {
  const parser = new papa.Parser({ delimiter, newline });
  const { data, errors, meta } = parser.parse(source, 0, !isLast) as Parsed;
  return { data, errors, cursor: meta.cursor };
}

/**
 * How a table is written, by its first line. The line break is '\n' as long as that is not whole:
 * then there is no whole row either.
 */
function formOf(text: string, isLast: boolean): Omit<TableForm, 'columns'> {
  const hinted = hint.exec(text);
  const skip = hinted?.[0].length ?? 0;
  const counts = new Map([',', ';', '\t'].map((mark) => [mark, 0]));
  let isQuoted = false;
  let at = skip;
  for (; at < text.length; at++) {
    const char = text[at]!;
    if ((char === '\n' || char === '\r') && !isQuoted) break;
    if (char === '"') isQuoted = !isQuoted;
    else if (!isQuoted && counts.has(char)) counts.set(char, counts.get(char)! + 1);
  }
  const [[most]] = [...counts].toSorted(([, one], [, other]) => other - one) as [[string, number]];
  const isCut = !isLast && at >= text.length - 1;
  const isReturn = !isCut && text[at] === '\r';
  const newline = text[at + 1] === '\n' ? '\r\n' : '\r';
  return { delimiter: hinted?.[1] ?? most, newline: isReturn ? newline : '\n', skip };
}

const wrong = (problem: string) => invalidInput(`Request body is not valid CSV: ${problem}`);

/** The names of the columns; '' for one without a name. */
function columnsOf(header: string[]): string[] {
  const names = header.map(nameIn);
  if (names.length > MOST_COLUMNS) throw wrong(`it has over ${MOST_COLUMNS} columns`);
  const twice = names.find((name, at) => name !== '' && names.indexOf(name) < at);
  if (twice !== undefined) throw wrong(`two columns are called ${shown(twice)}`);
  const others = names.filter((name) => name !== '' && !isKnown(name));
  if (!names.includes('targetPageSlug'))
    throw wrong('its first line must name the columns, targetPageSlug among them');
  if (names.includes('context') && others.length > 0)
    throw wrong(
      `beside the column context, ${others.slice(0, 5).map(shown).join(', ')} can't be used: the columns may be ${known.join(', ')}`,
    );
  if (!names.includes('context') && others.length === 0)
    throw wrong('there is no column context, and no other column for the context');
  return names;
}

const nameIn = (cell = '') => cellText(cell).replaceAll(/\s+/g, ' ').trim();

const shown = (name: string) => JSON.stringify(name.slice(0, NAME_LENGTH));

function rowOf(columns: string[], cells: string[], delimiter: string): TableRow {
  const row: TableRow['row'] = {};
  if (columns.every((name, at) => nameIn(cells[at]) === name))
    return { row, error: 'is the header once more' };
  const lines: string[] = [];
  for (const [at, cell] of cells.entries()) {
    const name = columns[at] ?? '';
    const value = cellText(cell).trim();
    if (value === '') continue;
    if (name === '') return { row, error: strayCell(columns, at, delimiter) };
    if (name === 'context') row.context = cell;
    else if (isKnown(name)) row[name] = value;
    else {
      const line = value.replaceAll(/\s+/g, ' ');
      const fault = textFault(line, limits.contextLength);
      if (fault !== undefined) return { row, error: `${shown(name)} ${fault}` };
      lines.push(`${name}: ${line}`);
    }
  }
  if (lines.length > 0) row.context = lines.join('\n');
  return { row };
}

const strayCell = (columns: string[], at: number, delimiter: string) =>
  at < columns.length
    ? `has a value in column ${at + 1}, which has no name`
    : `has more values than there are columns (${columns.length}): put quotes around values with ${JSON.stringify(delimiter)}`;
