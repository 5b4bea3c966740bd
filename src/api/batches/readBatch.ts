import { batchLimits } from '../../contract/batches/batch.ts';
import type { BatchRequest } from '../../tasks/batches/create.ts';
import { parseJson } from '../../sites/files/parseJson.ts';
import { invalidJsonError } from '../../errors.ts';
import { checkAs } from '../middleware/validate.ts';
import { batchBody } from '../routes/batches/batches.schema.ts';
import { readTablePart, type ParsedTablePart, type TablePart } from './csvTable.ts';
import { type ValidatedRow, createRowList } from './rowList.ts';
import { checkRows, type RowDefaults } from './checkRows.ts';

/** Maximum number of commas. No valid request needs more, with five fields in a row. */
const MOST_COMMAS = 20 * batchLimits.rows;

/** A part of a table whose rows were checked. */
export type ValidatedTablePart = Omit<ParsedTablePart, 'rows'> & { rows: ValidatedRow[] };

/**
 * Reads and validates the rows of a part of a CSV. Invalid rows have an `error`.
 * @throws DomainError INVALID_INPUT if the table is not valid CSV
 */
export function readTableRows(table: TablePart, rowDefaults: RowDefaults): ValidatedTablePart {
  const { rows, ...parsedPart } = readTablePart(table);
  return { ...parsedPart, rows: checkRows(rows, rowDefaults) };
}

/**
 * Reads and validates a request for a batch in JSON. Invalid rows have an `error`.
 * @throws DomainError INVALID_INPUT if the JSON, or a field of the whole batch, is invalid
 */
export function readJsonBatch({ json }: { json: Uint8Array }): BatchRequest {
  const { rows: sentRows, ...options } = checkAs(batchBody, parseBatchJson(json));
  const rowList = createRowList(options);
  rowList.add(
    checkRows(
      sentRows.map((row) => ({ row })),
      options,
    ),
  );
  return { ...options, rows: rowList.rows, digest: rowList.digest() };
}

function parseBatchJson(bytes: Uint8Array): unknown {
  try {
    return parseJson(bytes, MOST_COMMAS);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw invalidJsonError(error.message);
  }
}
