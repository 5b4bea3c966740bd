import { batchLimits } from '../../contract/batch.ts';
import { defined } from '../../contract/defined.ts';
import { invalidInput } from '../../errors.ts';
import type { BatchRequest } from '../../tasks/batches/create.ts';
import type { BatchBody } from '../routes/batches.schema.ts';
import type { TableForm, TablePart } from './csv.ts';
import { decode } from './decode.ts';
import type { CheckedPart } from './readBatch.ts';
import { createRowList } from './rowList.ts';
import type { Common } from './rows.ts';

/** Characters that are parsed and checked at once. */
const PART = 500_000;
/** Most characters of a row: more than any right one has, with its 500 columns. */
const LONGEST_ROW = 2_000_000;
/** Most lines, empty ones included. */
const MOST_LINES = 10 * batchLimits.rows;

/** A request whose body is CSV. */
export interface SentTable {
  /** The body as it comes. The next part is asked for when those before are read. */
  parts: AsyncIterable<Buffer>;
  options: BatchBody;
}

/** Parses a part of a table, and checks its rows. */
type ReadTablePart = (table: TablePart, common: Common) => Promise<CheckedPart>;

/**
 * Reads a request for a batch as CSV in UTF-8 or UTF-16, while it comes in: of the body, no more
 * is kept than a row and a part. Stops at the first thing for which it is refused.
 * @throws DomainError INVALID_INPUT if it is wrong as a whole
 */
export async function readTable(
  { parts, options }: SentTable,
  readPart: ReadTablePart,
  { atOnce = PART }: { atOnce?: number } = {},
): Promise<BatchRequest> {
  const { templatePageSlug, facts, linkFrom } = options;
  const common = defined({ templatePageSlug, facts, linkFrom });
  const list = createRowList(options);
  let form: TableForm | undefined;
  let text = '';
  let lines = 0;

  async function readText(isLast: boolean): Promise<void> {
    const before = list.rows.length;
    const part = await readPart({ text, isLast, before, ...defined({ form }) }, common);
    ({ form } = part);
    text = text.slice(part.used);
    lines += part.lines;
    list.add(part.rows);
    if (lines > MOST_LINES) throw wrong(`it has over ${MOST_LINES} lines`);
    const row = form ? `row ${list.rows.length + 1}` : 'the header';
    if (text.length > LONGEST_ROW)
      throw wrong(`${row} has over ${LONGEST_ROW} characters: is a closing quote missing?`);
  }

  let unread = 0;
  for await (const more of decode(parts)) {
    text += more;
    unread += more.length;
    if (unread < atOnce) continue;
    await readText(false);
    unread = 0;
  }
  await readText(true);
  if (list.rows.length === 0) throw wrong('there is no row below the header');
  return { ...options, rows: list.rows, digest: list.digest() };
}

const wrong = (problem: string) => invalidInput(`Request body is not valid CSV: ${problem}`);
