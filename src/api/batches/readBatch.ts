import { createHash } from 'node:crypto';
import { batchLimits } from '../../contract/batch.ts';
import { invalidInput } from '../../errors.ts';
import type { AskedRow, BatchRequest } from '../../tasks/batches/create.ts';
import { parseJson } from '../../sites/files/json.ts';
import { checkAs } from '../middleware/validate.ts';
import { batchBody, type BatchBody } from '../routes/batches.schema.ts';
import { readTable } from './csv.ts';
import { checkRows, type GivenValue } from './rows.ts';

/** More than any request needs, with five fields in a row. */
const MOST_COMMAS = 20 * batchLimits.rows;

/** A request as it was sent. */
export interface SentBatch {
  bytes: Uint8Array;
  /** The options of a body that is CSV. Absent: it is JSON. */
  options?: BatchBody;
}

/**
 * Reads a request for a batch: JSON or CSV, in UTF-8. Wrong rows have an error.
 * @throws DomainError INVALID_INPUT if it is wrong as a whole
 */
export function readBatch({ bytes, options }: SentBatch): BatchRequest {
  if (options === undefined) {
    const { rows, ...given } = checkAs(batchBody, jsonOf(bytes));
    return requestOf(
      given,
      rows.map((row) => ({ row })),
    );
  }
  const table = readTable(textOf(bytes));
  if (table.length > batchLimits.rows)
    throw invalidInput(`Invalid request body: rows must contain 1 to ${batchLimits.rows} rows`);
  return requestOf(options, table);
}

function requestOf(options: BatchBody, given: GivenValue[]): BatchRequest {
  const rows = checkRows(given, options);
  return { ...options, rows, digest: digestOf(options, rows, given) };
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return parseJson(bytes, MOST_COMMAS);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw invalidInput(`Request body is not valid JSON: ${error.message}`);
  }
}

/** Decodes a text and leaves out its byte order mark. */
function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalidInput('Request body is not valid CSV: it is not UTF-8');
  }
}

/**
 * Equal requests have equal digests, whatever the order of their fields. Wrong rows count as they
 * were sent.
 */
function digestOf(options: BatchBody, rows: AskedRow[], given: GivenValue[]): string {
  const hash = createHash('sha256');
  hash.update(JSON.stringify(Object.entries(options).toSorted(([a], [b]) => (a < b ? -1 : 1))));
  for (const [at, row] of rows.entries())
    hash.update(JSON.stringify(row.error === undefined ? row : given[at]));
  return hash.digest('hex');
}
