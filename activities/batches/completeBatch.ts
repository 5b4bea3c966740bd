import { type BatchOutcome, batchOutcome, isBatchOver } from '../../src/contract/batches/batch.ts';
import type { EndpointFlag } from '../../src/contract/events.ts';
import type { ActivityDependencies, TaskRef } from '../deps.ts';
import { endpointFlag } from '../recordEvent.ts';

interface CompleteBatchInput {
  task: TaskRef;
  /** `paused`: the run has stopped, and the batch keeps its status in the database. */
  status: BatchOutcome['status'];
  errorMessage?: string;
}

/** The outcome that was stored, and whether there are endpoints for its event. */
type StoredBatchEnd = BatchOutcome & EndpointFlag;

/**
 * Stores the outcome of a run of a batch. A batch that somebody cancelled meanwhile stays
 * cancelled. A batch whose canary is written gets the status `waiting`, for an approval.
 * Repeatable.
 * @returns the outcome for the callback and for events; null if the batch has more to do, because
 *   somebody resumed it or added rows to write while the run ended
 */
export function createCompleteBatch({
  batches,
  batchAddress,
  ...deps
}: Pick<ActivityDependencies, 'batches' | 'batchAddress' | 'eventLog'>) {
  return async ({
    task,
    status,
    errorMessage,
  }: CompleteBatchInput): Promise<StoredBatchEnd | null> => {
    const { taskId: batchId } = task;
    const flag = await endpointFlag(deps, task);
    let batchEnd: StoredBatchEnd | null = null;
    await batches.end(batchId, ({ canary, canaryApproved, ...storedBatch }, rows) => {
      const errorText = errorMessage ?? storedBatch.errorMessage;
      const isCanary = canary !== undefined && !canaryApproved && rows.waiting > 0;
      const isLeft = rows.written > 0 || (rows.waiting > 0 && !isCanary);
      const keepsStatus = status === 'paused' || storedBatch.status === 'cancelled';
      const reachedStatus = status === 'completed' && isCanary ? 'waiting' : status;
      const endStatus = keepsStatus ? storedBatch.status : reachedStatus;
      // it was paused and resumed, or has new rows to write: another run continues
      if (endStatus === 'running' || (endStatus === 'completed' && isLeft)) return null;
      const finishedAt = storedBatch.finishedAt ?? new Date().toISOString();
      const result = batchOutcome(endStatus, rows, errorText);
      const outcome = { batchId, ...result, rows, url: batchAddress(batchId), finishedAt };
      batchEnd = { ...outcome, ...flag };
      return { ...result, ...(isBatchOver(result.status) && { finishedAt }) };
    });
    return batchEnd;
  };
}
