import { isUtf8 } from 'node:buffer';
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
 * Reads a request for a batch: JSON in UTF-8, or CSV in UTF-8 or UTF-16. Wrong rows have an error.
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

/** Byte order marks of what Excel calls Unicode text. */
const marks = { 'utf-16le': [0xff, 0xfe], 'utf-16be': [0xfe, 0xff] };

/** Decodes a text by its byte order mark, and leaves that out. Without one it is UTF-8. */
function textOf(bytes: Uint8Array): string {
  const begins = (mark: number[]) => mark.every((byte, at) => bytes[at] === byte);
  const [encoding = 'utf-8'] = Object.entries(marks).find(([, mark]) => begins(mark)) ?? [];
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    const problem = encoding === 'utf-8' ? `UTF-8 (line ${wrongLine(bytes)})` : 'UTF-16';
    throw invalidInput(`Request body is not valid CSV: it is not ${problem}`);
  }
}

/** The number of the first line that is not UTF-8. */
function wrongLine(bytes: Uint8Array): number {
  let line = 1;
  for (let from = 0; from < bytes.length; line++) {
    const end = bytes.indexOf(0x0a, from) + 1 || bytes.length;
    if (!isUtf8(bytes.subarray(from, end))) break;
    from = end;
  }
  return line;
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
