import papa from 'papaparse';
import { batchLimits } from '../../contract/batches/batch.ts';
import { limits } from '../../contract/task.ts';
import { invalidInputError } from '../../errors.ts';
import { cellText } from '../../text/text.ts';
import { csvError, csvProblems, knownColumns, quotedName } from './csvProblems.ts';
import { findTextViolation } from '../textSchema.ts';
import { ROW_COUNT_PROBLEM } from '../routes/batches/batches.schema.ts';

type KnownColumn = (typeof knownColumns)[number];
const isKnownColumn = (name: string): name is KnownColumn =>
  (knownColumns as readonly string[]).includes(name);

const MOST_COLUMNS = 500;

/** A line above the header by which Excel names the delimiter. */
const delimiterHint = /^sep=([,;\t])\r?\n/i;

/** A row of a table, with an `error` if its cells do not fit the header. */
export interface CsvRow {
  row: Partial<Record<KnownColumn, string>>;
  error?: string;
}

/** How a table is written, which its first part shows. */
export interface CsvFormat {
  delimiter: string;
  /** The line break after the header. */
  newline: '\n' | '\r' | '\r\n';
  /** The number of characters before the header, i.e. of the `sep=;` line. */
  skip: number;
  /** The names of the columns, '' for a column without a name. */
  columns: string[];
}

/** A part of a table, which begins at the start of a row. */
export interface TablePart {
  text: string;
  /** Whether this is the last part, so that its last row is complete. */
  isLast: boolean;
  /** The format of the table. Absent if the part begins with the header. */
  form?: CsvFormat;
  /** The number of rows in the earlier parts. */
  before: number;
}

export interface ParsedTablePart {
  rows: CsvRow[];
  /** The format of the table. Absent if the header is not complete yet. */
  form?: CsvFormat;
  /** The number of characters that were read. The next part begins after them. */
  used: number;
  /** The number of lines that were read, including empty ones. */
  lines: number;
}

/**
 * Reads the complete rows of a part of a table (RFC 4180) with commas, semicolons or tabs. The
 * first line of the table names the columns. Without a column `context`, the context (what the new
 * page should say) has a line for each other column:
 *
 *     targetPageSlug;City;Phone   → { targetPageSlug: '/faro',
 *     /faro;Faro;="0123"              context: 'City: Faro\nPhone: 0123' }
 *
 * Cells are texts, whatever they begin with.
 * @throws DomainError INVALID_INPUT if the table is not valid CSV, or has too many rows or columns
 */
export function readTablePart({
  text,
  isLast,
  form: knownFormat,
  before: rowsBefore,
}: TablePart): ParsedTablePart {
  const format = knownFormat ?? { ...detectFormat(text, isLast), columns: undefined };
  const { data, errors, cursor } = parseCsv(text.slice(format.skip), format, isLast);
  const tableLines = data.map((cells) => ({ cells, isBlank: cells.join('').trim() === '' }));
  const filledRows = tableLines.filter(({ isBlank }) => !isBlank).map(({ cells }) => cells);
  // an error in the last, incomplete row may disappear when the row is complete
  const parserError = errors.find(({ row }) => isLast || row < data.length);
  if (parserError) {
    const filledRowsAbove = tableLines
      .slice(0, parserError.row)
      .filter(({ isBlank }) => !isBlank).length;
    const rowNumber = rowsBefore + filledRowsAbove + (knownFormat ? 1 : 0);
    const placeWords = rowNumber === 0 ? 'the header' : `row ${rowNumber}`;
    throw csvError(csvProblems.quotes(placeWords, parserError.message));
  }
  if (!knownFormat && filledRows.length === 0 && !isLast) return { rows: [], used: 0, lines: 0 };
  const columns = format.columns ?? columnNames(filledRows.shift() ?? []);
  if (rowsBefore + filledRows.length > batchLimits.rows)
    throw invalidInputError(`Invalid request body: rows ${ROW_COUNT_PROBLEM}`);
  return {
    rows: filledRows.map((cells) => csvRow(columns, cells, format.delimiter)),
    form: { ...format, skip: 0, columns },
    used: format.skip + cursor,
    lines: tableLines.length,
  };
}

/** What papaparse's types leave out. */
interface ParserResult {
  data: string[][];
  errors: { row: number; message: string }[];
  meta: { cursor: number };
}

/** @returns the complete rows, and the position after them */
function parseCsv(
  source: string,
  { delimiter, newline }: Omit<CsvFormat, 'columns'>,
  isLast: boolean,
) {
  const parser = new papa.Parser({ delimiter, newline });
  const { data, errors, meta } = parser.parse(source, 0, !isLast) as ParserResult;
  return { data, errors, cursor: meta.cursor };
}

/**
 * Detects from the first line how a table is written. As long as that line is incomplete, the line
 * break is '\n'; there is no complete row then.
 */
function detectFormat(text: string, isLast: boolean): Omit<CsvFormat, 'columns'> {
  const hintMatch = delimiterHint.exec(text);
  const skippedCharacters = hintMatch?.[0].length ?? 0;
  const delimiterCounts = new Map([',', ';', '\t'].map((delimiter) => [delimiter, 0]));
  let isQuoted = false;
  let position = skippedCharacters;
  for (; position < text.length; position++) {
    const character = text[position]!;
    if ((character === '\n' || character === '\r') && !isQuoted) break;
    if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && delimiterCounts.has(character))
      delimiterCounts.set(character, delimiterCounts.get(character)! + 1);
  }
  const [[mostFrequent]] = [...delimiterCounts].toSorted(
    ([, firstCount], [, secondCount]) => secondCount - firstCount,
  ) as [[string, number]];
  const isCut = !isLast && position >= text.length - 1;
  const isReturn = !isCut && text[position] === '\r';
  const newline = text[position + 1] === '\n' ? '\r\n' : '\r';
  return {
    delimiter: hintMatch?.[1] ?? mostFrequent,
    newline: isReturn ? newline : '\n',
    skip: skippedCharacters,
  };
}

/**
 * The names of the columns, '' for a column without a name.
 * @throws DomainError INVALID_INPUT for duplicate names, or if a necessary column is missing
 */
function columnNames(header: string[]): string[] {
  const columns = header.map(columnNameIn);
  if (columns.length > MOST_COLUMNS) throw csvError(csvProblems.columns(MOST_COLUMNS));
  const duplicateName = columns.find((name, index) => name !== '' && columns.indexOf(name) < index);
  if (duplicateName !== undefined) throw csvError(csvProblems.duplicateColumn(duplicateName));
  const contextColumns = columns.filter((name) => name !== '' && !isKnownColumn(name));
  if (!columns.includes('targetPageSlug')) throw csvError(csvProblems.noHeader);
  if (columns.includes('context') && contextColumns.length > 0)
    throw csvError(csvProblems.otherColumns(contextColumns));
  if (!columns.includes('context') && contextColumns.length === 0)
    throw csvError(csvProblems.noContext);
  return columns;
}

const columnNameIn = (cell = '') => cellText(cell).replaceAll(/\s+/g, ' ').trim();

function csvRow(columns: string[], cells: string[], delimiter: string): CsvRow {
  const namedValues: CsvRow['row'] = {};
  if (columns.every((name, index) => columnNameIn(cells[index]) === name))
    return { row: namedValues, error: 'repeats the header' };
  const contextLines: string[] = [];
  for (const [index, cell] of cells.entries()) {
    const name = columns[index] ?? '';
    const value = cellText(cell).trim();
    if (value === '') continue;
    if (name === '') return { row: namedValues, error: strayCellError(columns, index, delimiter) };
    if (name === 'context') namedValues.context = cell;
    else if (isKnownColumn(name)) namedValues[name] = value;
    else {
      const singleLineValue = value.replaceAll(/\s+/g, ' ');
      const violation = findTextViolation(singleLineValue, limits.contextLength);
      if (violation !== undefined)
        return { row: namedValues, error: `${quotedName(name)} ${violation}` };
      contextLines.push(`${name}: ${singleLineValue}`);
    }
  }
  if (contextLines.length > 0) namedValues.context = contextLines.join('\n');
  return { row: namedValues };
}

/** The error of a row that has a value in a column without a name. */
export const strayCellError = (columns: string[], columnIndex: number, delimiter: string) =>
  columnIndex < columns.length
    ? `has a value in column ${columnIndex + 1}, but that column has no name`
    : `has more values than the table has columns (${columns.length}): put quotation marks around values that contain ${JSON.stringify(delimiter)}`;
