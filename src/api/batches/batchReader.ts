import { hasCode, invalidInput } from '../../errors.ts';
import type { BatchRequest } from '../../tasks/batches/create.ts';
import type { Threads, Work } from '../../threads/threads.ts';
import type { CheckedPart, ToRead } from './readBatch.ts';
import { readTable, type SentTable } from './readTable.ts';

/** A request as it was sent: JSON, or a table. */
export type SentBatch = { json: Uint8Array } | SentTable;

/**
 * Reads a request for a batch in threads: it may be as large as twenty megabytes.
 * @throws DomainError INVALID_INPUT if it is wrong as a whole; the signal's reason
 */
export type ReadBatch = (sent: SentBatch, work: Work) => Promise<BatchRequest>;

const worker = new URL('./batchWorker.ts', import.meta.url);

const overLimit = (limit: string) => `Request body takes more than ${limit} to read`;

export function createBatchReader(threads: Threads): ReadBatch {
  const read = (asked: ToRead, work: Work) =>
    threads.run(worker, asked, overLimit, work).catch((error: unknown) => {
      throw hasCode(error, 'LIMIT_EXCEEDED') ? invalidInput(error.message) : error;
    });
  return (sent, work) =>
    'json' in sent
      ? (read(sent, work) as Promise<BatchRequest>)
      : readTable(sent, (table, common) => read({ table, common }, work) as Promise<CheckedPart>);
}
