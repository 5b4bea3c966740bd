import { batchLimits } from '../../contract/batch.ts';
import { invalidInput } from '../../errors.ts';
import type { BatchRequest } from '../../tasks/batches/create.ts';
import { parseJson } from '../../sites/files/json.ts';
import { checkAs } from '../middleware/validate.ts';
import { batchBody } from '../routes/batches.schema.ts';
import { readTablePart, type ReadPart, type TablePart } from './csv.ts';
import { type CheckedRow, createRowList } from './rowList.ts';
import { checkRows, type Common } from './rows.ts';

/** More than any request needs, with five fields in a row. */
const MOST_COMMAS = 20 * batchLimits.rows;

/** A part of a table whose rows were checked. */
export type CheckedPart = Omit<ReadPart, 'rows'> & { rows: CheckedRow[] };

/**
 * Reads a part of a request for a batch as CSV. Wrong rows have an error.
 * @throws DomainError INVALID_INPUT if it is wrong as a whole
 */
export function readTableRows(table: TablePart, common: Common): CheckedPart {
  const { rows, ...part } = readTablePart(table);
  return { ...part, rows: checkRows(rows, common) };
}

/**
 * Reads a request for a batch as JSON in UTF-8. Wrong rows have an error.
 * @throws DomainError INVALID_INPUT if it is wrong as a whole
 */
export function readJsonBatch({ json }: { json: Uint8Array }): BatchRequest {
  const { rows: given, ...options } = checkAs(batchBody, jsonOf(json));
  const list = createRowList(options);
  list.add(
    checkRows(
      given.map((row) => ({ row })),
      options,
    ),
  );
  return { ...options, rows: list.rows, digest: list.digest() };
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return parseJson(bytes, MOST_COMMAS);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw invalidInput(`Request body is not valid JSON: ${error.message}`);
  }
}
