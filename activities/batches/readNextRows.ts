import type { PlannedBatchRow } from '../../src/contract/batches/batchStore.ts';
import { withoutUndefined } from '../../src/contract/withoutUndefined.ts';
import type { ActivityDependencies, TaskRef } from '../deps.ts';

interface NextRowsInput {
  task: TaskRef;
  limit: number;
}

/**
 * Returns the next rows of a batch to write, at most `limit`. Until people approve the rest,
 * returns only rows of the canary: the first rows of the batch. If one of them failed, the next row
 * replaces it. Returns none if the batch was paused or cancelled. Rows change their state
 * only when they are written. Repeatable: it only reads.
 */
export function createReadNextRows({ batches }: Pick<ActivityDependencies, 'batches'>) {
  return async ({ task, limit }: NextRowsInput): Promise<PlannedBatchRow[]> => {
    const { taskId: batchId, organizationId } = task;
    const { canary, canaryApproved, status } = await batches.find(organizationId, batchId);
    // the signal that stops the run may have been lost
    if (status !== 'running') return [];
    const canaryLimit = canaryApproved ? {} : withoutUndefined({ canary });
    return batches.next(batchId, { state: 'waiting', limit, ...canaryLimit });
  };
}
