import { type BatchEnd, endOf } from '../../src/contract/batch.ts';
import type { ActivityDeps, TaskRef } from '../deps.ts';

interface EndBatch {
  task: TaskRef;
  status: BatchEnd['status'];
  errorMessage?: string;
}

/** Stores how a run of a batch ended. Repeatable. */
export function createEndBatch({
  batches,
  batchAddress,
}: Pick<ActivityDeps, 'batches' | 'batchAddress'>) {
  return async ({ task, status, errorMessage }: EndBatch): Promise<BatchEnd> => {
    const { taskId: batchId, organizationId } = task;
    const before = await batches.find(organizationId, batchId);
    const finishedAt = before.finishedAt ?? new Date().toISOString();
    const rows = await batches.counts(batchId);
    const end = endOf(status, rows, errorMessage);
    const isOver = end.status !== 'paused' && end.status !== 'waiting';
    await batches.change(batchId, { ...end, ...(isOver && { finishedAt }) });
    return { batchId, ...end, rows, url: batchAddress(batchId), finishedAt };
  };
}
