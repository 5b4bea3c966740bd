import type { PlannedBatchRow } from '../../src/contract/batches/batchStore.ts';
import { withoutUndefined } from '../../src/contract/withoutUndefined.ts';
import type { ActivityDependencies, TaskRef } from '../deps.ts';

interface ClaimRowsInput {
  task: TaskRef;
  limit: number;
}

/**
 * The next rows of a batch to write. Until the others are approved, those of its canary: where a
 * row fails, the next one takes its place.
 */
export function createClaimRows({ batches }: Pick<ActivityDependencies, 'batches'>) {
  return async ({ task, limit }: ClaimRowsInput): Promise<PlannedBatchRow[]> => {
    const { taskId: batchId, organizationId } = task;
    const { canary, canaryApproved, status } = await batches.find(organizationId, batchId);
    // the signal that stops the run may be lost
    if (status !== 'running') return [];
    const canaryLimit = canaryApproved ? {} : withoutUndefined({ canary });
    return batches.next(batchId, { state: 'waiting', limit, ...canaryLimit });
  };
}
