import type { Batch } from '../../contract/batches/batch.ts';

/** What a run of a batch's workflow needs when it starts. The database has the rows. */
export type BatchToRun = Pick<
  Batch,
  | 'batchId'
  | 'organizationId'
  | 'siteId'
  | 'createdAt'
  | 'createdBy'
  | 'publish'
  | 'callbackUrl'
  | 'model'
  | 'requestId'
  | 'title'
> & { siteName: string };

/** The port that starts and stops the workflows of batches. */
export interface BatchRuns {
  /**
   * Makes a batch's id, which has the form of a task's.
   * @param idempotencyKey the same key in the same organization gives the same id
   */
  newId(organizationId: string, idempotencyKey?: string): string;
  /**
   * Acquires a permit for a run, if the batch has none. Throws TOO_MANY_IN_FLIGHT.
   * @returns a function that releases the permit if this call acquired it
   */
  acquirePermit(
    batch: Pick<BatchToRun, 'batchId' | 'organizationId' | 'siteId'>,
  ): Promise<() => Promise<void>>;
  /**
   * Starts a run of the batch's workflow, and acquires a permit for it. If one runs already, only
   * wakes it. Throws TOO_MANY_IN_FLIGHT, START_FAILED.
   */
  run(batch: BatchToRun): Promise<void>;
  /** Stops a run after the pages that it writes. Does nothing if none runs. Throws UNAVAILABLE. */
  pauseRun(batchId: string): Promise<void>;
  /** Stops the run of a batch at once. Does nothing if none runs. Throws UNAVAILABLE. */
  cancelRun(batchId: string): Promise<void>;
  /**
   * Cancels the run of a batch at once. If none runs, starts a short one, which sends the callback
   * and needs no permit. Throws UNAVAILABLE.
   */
  cancelBatch(batch: BatchToRun): Promise<void>;
  /**
   * Starts a short run that sends the callback about the end of a batch. It needs no permit. Throws
   * UNAVAILABLE.
   */
  reportEnd(batch: BatchToRun): Promise<void>;
}
