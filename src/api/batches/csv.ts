import papa from 'papaparse';
import { batchLimits } from '../../contract/batch.ts';
import { limits } from '../../contract/task.ts';
import { nearest } from '../didYouMean.ts';
import { invalidInput } from '../../errors.ts';
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

/**
 * Reads a table (RFC 4180) with commas, semicolons or tabs. Its first line names the columns.
 * Without a column `context`, the context has a line `Column: value` for each other column. Cells
 * are texts, whatever they begin with.
 * @param text without a byte order mark
 * @throws DomainError INVALID_INPUT
 */
export function readTable(text: string): TableRow[] {
  const hinted = hint.exec(text);
  const source = text.slice(hinted?.[0].length ?? 0);
  const delimiter = hinted?.[1] ?? delimiterOf(source);
  const { data, errors } = papa.parse<string[]>(source, {
    delimiter,
    skipEmptyLines: 'greedy',
    preview: batchLimits.rows + 2,
  });
  const [fault] = errors;
  if (fault)
    throw wrong(
      `the quotes of ${fault.row === 0 ? 'the header' : `row ${fault.row}`} are wrong: ${fault.message}`,
    );
  const [header = [], ...rows] = data;
  const columns = columnsOf(header);
  if (rows.length === 0) throw wrong('there is no row below the header');
  return rows.map((cells) => rowOf(columns, cells, delimiter));
}

const wrong = (problem: string) => invalidInput(`Request body is not valid CSV: ${problem}`);

/** The delimiter that the first line has most of, outside of quotes. */
function delimiterOf(source: string): string {
  const counts = new Map([',', ';', '\t'].map((mark) => [mark, 0]));
  let isQuoted = false;
  for (const char of source) {
    if (char === '\n' && !isQuoted) break;
    if (char === '"') isQuoted = !isQuoted;
    else if (!isQuoted && counts.has(char)) counts.set(char, counts.get(char)! + 1);
  }
  const [best] = [...counts].toSorted(([, one], [, other]) => other - one);
  return best![0];
}

/** The names of the columns; '' for one without a name. */
function columnsOf(header: string[]): string[] {
  const names = header.map(nameIn);
  if (names.length > MOST_COLUMNS) throw wrong(`it has over ${MOST_COLUMNS} columns`);
  const twice = names.find((name, at) => name !== '' && names.indexOf(name) < at);
  if (twice !== undefined) throw wrong(`two columns are called ${shown(twice)}`);
  const others = names.filter((name) => name !== '' && !isKnown(name));
  if (!names.includes('targetPageSlug')) {
    const near = others.find((name) => nearest(name, ['targetPageSlug']));
    const hinting = near === undefined ? '' : `: is it ${shown(near)}?`;
    throw wrong(`its first line must name the columns, targetPageSlug among them${hinting}`);
  }
  if (names.includes('context') && others.length > 0)
    throw wrong(
      `beside the column context, ${others.slice(0, 5).map(shown).join(', ')} can't be used: the columns may be ${known.join(', ')}`,
    );
  if (!names.includes('context') && others.length === 0)
    throw wrong('there is no column context, and no other column for the context');
  return names;
}

const nameIn = (cell = '') => cell.replaceAll(/\s+/g, ' ').trim();

const shown = (name: string) => JSON.stringify(name.slice(0, NAME_LENGTH));

function rowOf(columns: string[], cells: string[], delimiter: string): TableRow {
  const row: TableRow['row'] = {};
  if (columns.every((name, at) => nameIn(cells[at]) === name))
    return { row, error: 'is the header once more' };
  const lines: string[] = [];
  for (const [at, cell] of cells.entries()) {
    const name = columns[at] ?? '';
    const value = cell.trim();
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
