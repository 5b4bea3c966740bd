import { hasCode, invalidInput } from '../../errors.ts';
import type { BatchRequest } from '../../tasks/batches/create.ts';
import type { Threads, Work } from '../../threads/threads.ts';
import type { SentBatch } from './readBatch.ts';

/**
 * Reads a request for a batch, in a thread: it may be as large as twenty megabytes.
 * @throws DomainError INVALID_INPUT if it is wrong as a whole; the signal's reason
 */
export type ReadBatch = (sent: SentBatch, work: Work) => Promise<BatchRequest>;

const worker = new URL('./batchWorker.ts', import.meta.url);

const overLimit = (limit: string) => `Request body takes more than ${limit} to read`;

export const createBatchReader =
  (threads: Threads): ReadBatch =>
  (sent, work) =>
    threads.run(worker, sent, overLimit, work).catch((error: unknown) => {
      throw hasCode(error, 'LIMIT_EXCEEDED') ? invalidInput(error.message) : error;
    }) as Promise<BatchRequest>;
