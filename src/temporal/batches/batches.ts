import type { Batch } from '../../contract/batches/batch.ts';

/** What a run is told when it starts. */
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

/** The workflows of batches, behind a port. */
export interface BatchRuns {
  /**
   * Makes a batch's id, which has the form of a task's.
   * @param idempotencyKey the same key in the same organization gives the same id
   */
  newId(organizationId: string, idempotencyKey?: string): string;
  /**
   * Takes a place in flight for a run, if the batch has none. Throws TOO_MANY_IN_FLIGHT.
   * @returns gives back a place that was taken
   */
  takePlace(
    batch: Pick<BatchToRun, 'batchId' | 'organizationId' | 'siteId'>,
  ): Promise<() => Promise<void>>;
  /**
   * Starts a run of the batch's workflow, which takes a place in flight. Does nothing where one
   * runs. Throws TOO_MANY_IN_FLIGHT, START_FAILED.
   */
  run(batch: BatchToRun): Promise<void>;
  /** Stops the run of a batch after its window. Does nothing if none runs. Throws UNAVAILABLE. */
  pauseRun(batchId: string): Promise<void>;
  /** Stops the run of a batch at once. Does nothing if none runs. Throws UNAVAILABLE. */
  cancelRun(batchId: string): Promise<void>;
  /**
   * Has the run of a batch cancel it at once. If none runs, a short one does, and calls back; it
   * takes no place in flight. Throws UNAVAILABLE.
   */
  cancelBatch(batch: BatchToRun): Promise<void>;
  /**
   * Starts a short run that tells the callback how a batch ended. It takes no place in flight.
   * Throws UNAVAILABLE.
   */
  reportEnd(batch: BatchToRun): Promise<void>;
}
