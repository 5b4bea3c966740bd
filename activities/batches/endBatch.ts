import { type BatchEnd, endOf, isOver } from '../../src/contract/batch.ts';
import type { ActivityDeps, TaskRef } from '../deps.ts';

interface EndBatch {
  task: TaskRef;
  /** `paused`: the run has stopped, and the database has the state in which the batch is. */
  status: BatchEnd['status'];
  errorMessage?: string;
}

/**
 * Stores how a run of a batch ended. A batch that somebody cancelled meanwhile stays so.
 * Repeatable.
 * @returns null if the batch has more to do: somebody gave it that while the run ended
 */
export function createEndBatch({
  batches,
  batchAddress,
}: Pick<ActivityDeps, 'batches' | 'batchAddress'>) {
  return async ({ task, status, errorMessage }: EndBatch): Promise<BatchEnd | null> => {
    const { taskId: batchId } = task;
    let end: BatchEnd | null = null;
    await batches.end(batchId, ({ canary, canaryApproved, ...before }, rows) => {
      const error = errorMessage ?? before.errorMessage;
      const isCanary = canary !== undefined && !canaryApproved && rows.waiting > 0;
      const isLeft = rows.written > 0 || (rows.waiting > 0 && !isCanary);
      const isKept = status === 'paused' || before.status === 'cancelled';
      const reached = status === 'completed' && isCanary ? 'waiting' : status;
      const ended = isKept ? before.status : reached;
      // paused and resumed, or with new rows to make: the store has what people want now
      if (ended === 'running' || (ended === 'completed' && isLeft)) return null;
      const finishedAt = before.finishedAt ?? new Date().toISOString();
      const result = endOf(ended, rows, error);
      end = { batchId, ...result, rows, url: batchAddress(batchId), finishedAt };
      return { ...result, ...(isOver(result.status) && { finishedAt }) };
    });
    return end;
  };
}
