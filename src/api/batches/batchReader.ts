import { hasErrorCode, invalidInputError } from '../../errors.ts';
import type { BatchRequest } from '../../tasks/batches/create.ts';
import type { ThreadPool, JobOwner } from '../../threads/threadPool.ts';
import { bindThreadCalls } from '../../threads/threadCalls.ts';
import type { BatchCalls } from './batchWorker.ts';
import { readTable, type SentTable } from './readTable.ts';

/**
 * Reads the requests of batches: JSON or CSV with up to 5,000 rows, each of which becomes a page.
 *
 * - `batchRequest.ts`: the middleware. It limits large requests, and calls the reader.
 * - `batchReader.ts`: reads in worker threads (`batchWorker.ts`), because a body may have 20 MB.
 * - `readBatch.ts` reads JSON. `readTable.ts` reads CSV in parts, with `decodeTable.ts` (bytes to
 *   text) and `csvTable.ts` (text to rows).
 * - `checkRows.ts` validates each row, and `rowList.ts` numbers them and finds duplicates.
 *
 * In:  `targetPageSlug,City\n/locations/faro,Faro\n`
 * Out: `rows: [{ number: 1, targetPageSlug: '/locations/faro', context: 'City: Faro', … }]`
 *
 * An invalid row gets an `error`, and the other rows are kept.
 */

/** A request as it was sent: JSON, or a table. */
export type SentBatch = { json: Uint8Array } | SentTable;

/**
 * Reads and validates a request for a batch.
 * @throws DomainError INVALID_INPUT if the whole request is invalid; the signal's reason
 */
export type BatchReader = (sent: SentBatch, jobOwner: JobOwner) => Promise<BatchRequest>;

export function createBatchReader(threads: ThreadPool): BatchReader {
  const callFor = bindThreadCalls<BatchCalls>(threads, {
    worker: new URL('./batchWorker.ts', import.meta.url),
    overLimit: slowBodyMessage,
  });
  return async (sentBatch, jobOwner) => {
    const call = callFor(jobOwner);
    try {
      if ('json' in sentBatch) return await call('readJsonBatch', sentBatch);
      return await readTable(sentBatch, (table, common) => call('readTableRows', table, common));
    } catch (error) {
      throw hasErrorCode(error, 'LIMIT_EXCEEDED') ? invalidInputError(error.message) : error;
    }
  };
}

/** @param limit the CPU time that a body may take, such as `2 s of CPU time` */
export const slowBodyMessage = (limit: string) =>
  `The request body took more than ${limit} to read. Split the table into several batches`;
