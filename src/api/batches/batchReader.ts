import { hasCode, invalidInput } from '../../errors.ts';
import type { BatchRequest } from '../../tasks/batches/create.ts';
import type { Threads, Work } from '../../threads/threads.ts';
import { callsIn } from '../../threads/calls.ts';
import type { BatchCalls } from './batchWorker.ts';
import { readTable, type SentTable } from './readTable.ts';

/** A request as it was sent: JSON, or a table. */
export type SentBatch = { json: Uint8Array } | SentTable;

/**
 * Reads a request for a batch in threads: it may be as large as twenty megabytes.
 * @throws DomainError INVALID_INPUT if it is wrong as a whole; the signal's reason
 */
export type ReadBatch = (sent: SentBatch, work: Work) => Promise<BatchRequest>;

export function createBatchReader(threads: Threads): ReadBatch {
  const callFor = callsIn<BatchCalls>(threads, {
    worker: new URL('./batchWorker.ts', import.meta.url),
    overLimit: (limit) => `Request body takes more than ${limit} to read`,
  });
  return async (sent, work) => {
    const call = callFor(work);
    try {
      if ('json' in sent) return await call('readJsonBatch', sent);
      return await readTable(sent, (table, common) => call('readTableRows', table, common));
    } catch (error) {
      throw hasCode(error, 'LIMIT_EXCEEDED') ? invalidInput(error.message) : error;
    }
  };
}
