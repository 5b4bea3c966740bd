import { hasErrorCode, invalidInputError } from '../../errors.ts';
import type { BatchRequest } from '../../tasks/batches/create.ts';
import type { ThreadPool, JobOwner } from '../../threads/threadPool.ts';
import { bindThreadCalls } from '../../threads/threadCalls.ts';
import type { BatchCalls } from './batchWorker.ts';
import { readTable, type SentTable } from './readTable.ts';

/** A request as it was sent: JSON, or a table. */
export type SentBatch = { json: Uint8Array } | SentTable;

/**
 * Reads a request for a batch in threads: it may be as large as twenty megabytes.
 * @throws DomainError INVALID_INPUT if it is wrong as a whole; the signal's reason
 */
export type BatchReader = (sent: SentBatch, work: JobOwner) => Promise<BatchRequest>;

export function createBatchReader(threads: ThreadPool): BatchReader {
  const callFor = bindThreadCalls<BatchCalls>(threads, {
    worker: new URL('./batchWorker.ts', import.meta.url),
    overLimit: (limit) => `The request body took more than ${limit} to read`,
  });
  return async (sentBatch, callerWork) => {
    const call = callFor(callerWork);
    try {
      if ('json' in sentBatch) return await call('readJsonBatch', sentBatch);
      return await readTable(sentBatch, (table, common) => call('readTableRows', table, common));
    } catch (error) {
      throw hasErrorCode(error, 'LIMIT_EXCEEDED') ? invalidInputError(error.message) : error;
    }
  };
}
