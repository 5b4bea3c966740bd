import { batchLimits } from '../../contract/batches/batch.ts';
import { withoutUndefined } from '../../contract/withoutUndefined.ts';
import type { BatchRequest } from '../../tasks/batches/create.ts';
import type { BatchBody } from '../routes/batches/batches.schema.ts';
import { csvError, csvProblems } from './csvProblems.ts';
import type { CsvFormat, TablePart } from './csvTable.ts';
import { decodeTable } from './decodeTable.ts';
import type { ValidatedTablePart } from './readBatch.ts';
import { createRowList } from './rowList.ts';
import type { RowDefaults } from './checkRows.ts';

/** The number of characters that are parsed and checked together. */
const PART_CHARACTERS = 500_000;
/** Maximum characters of a row. No valid row has more. */
const LONGEST_ROW = 2_000_000;
/** Maximum number of lines, including empty ones. */
const MOST_LINES = 10 * batchLimits.rows;

/** A request whose body is CSV. */
export interface SentTable {
  /** The body as it arrives. The next part is requested when the earlier ones are read. */
  parts: AsyncIterable<Buffer>;
  options: BatchBody;
}

/** Parses a part of a table, and validates its rows (`readTableRows`, in a worker thread). */
type TablePartReader = (table: TablePart, common: RowDefaults) => Promise<ValidatedTablePart>;

/**
 * Reads a request for a batch as CSV in UTF-8 or UTF-16 while it arrives. It keeps only one part of
 * the body and an incomplete row in memory. Stops at the first error of the whole table.
 * @param options.atOnce the number of characters in a part
 * @throws DomainError INVALID_INPUT if the table is invalid or has no row
 */
export async function readTable(
  { parts: bodyParts, options }: SentTable,
  readPart: TablePartReader,
  { atOnce: charactersAtOnce = PART_CHARACTERS }: { atOnce?: number } = {},
): Promise<BatchRequest> {
  const { templatePageSlug, facts, linkFrom } = options;
  const rowDefaults = withoutUndefined({ templatePageSlug, facts, linkFrom });
  const rowList = createRowList(options);
  let format: CsvFormat | undefined;
  let unparsedText = '';
  let lineCount = 0;

  async function readText(isLast: boolean): Promise<void> {
    const rowsBefore = rowList.rows.length;
    const parsedPart = await readPart(
      { text: unparsedText, isLast, before: rowsBefore, ...withoutUndefined({ form: format }) },
      rowDefaults,
    );
    ({ form: format } = parsedPart);
    unparsedText = unparsedText.slice(parsedPart.used);
    lineCount += parsedPart.lines;
    rowList.add(parsedPart.rows);
    if (lineCount > MOST_LINES) throw csvError(csvProblems.lines(MOST_LINES));
    const rowWords = format ? `row ${rowList.rows.length + 1}` : 'the header';
    if (unparsedText.length > LONGEST_ROW)
      throw csvError(csvProblems.longRow(rowWords, LONGEST_ROW));
  }

  let unreadCharacters = 0;
  for await (const decodedText of decodeTable(bodyParts)) {
    unparsedText += decodedText;
    unreadCharacters += decodedText.length;
    if (unreadCharacters < charactersAtOnce) continue;
    await readText(false);
    unreadCharacters = 0;
  }
  await readText(true);
  if (rowList.rows.length === 0) throw csvError(csvProblems.noRow);
  return { ...options, rows: rowList.rows, digest: rowList.digest() };
}
