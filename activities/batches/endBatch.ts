import { type BatchEnd, endOf, isOver } from '../../src/contract/batch.ts';
import type { ActivityDeps, TaskRef } from '../deps.ts';

interface EndBatch {
  task: TaskRef;
  status: BatchEnd['status'];
  errorMessage?: string;
}

/**
 * Stores how a run of a batch ended. Repeatable.
 * @returns null if the batch has more to do: somebody gave it that while the run ended
 */
export function createEndBatch({
  batches,
  batchAddress,
}: Pick<ActivityDeps, 'batches' | 'batchAddress'>) {
  return async ({ task, status, errorMessage }: EndBatch): Promise<BatchEnd | null> => {
    const { taskId: batchId, organizationId } = task;
    const { canary, canaryApproved, ...before } = await batches.find(organizationId, batchId);
    const rows = await batches.counts(batchId);
    const isCanary = canary !== undefined && !canaryApproved && rows.waiting > 0;
    const isLeft = rows.written > 0 || (rows.waiting > 0 && !isCanary);
    // somebody pauses it and lets it go on: the store has what they want now
    const isAgain = status === 'paused' && before.status === 'running';
    if (isAgain || (status === 'completed' && isLeft)) return null;
    const end = endOf(status === 'completed' && isCanary ? 'waiting' : status, rows, errorMessage);
    const finishedAt = before.finishedAt ?? new Date().toISOString();
    await batches.change(batchId, { ...end, ...(isOver(end.status) && { finishedAt }) });
    return { batchId, ...end, rows, url: batchAddress(batchId), finishedAt };
  };
}
