import type { NextRow } from '../../src/contract/batchStore.ts';
import { defined } from '../../src/contract/defined.ts';
import type { ActivityDeps, TaskRef } from '../deps.ts';

interface NextRows {
  task: TaskRef;
  limit: number;
}

/**
 * The next rows of a batch to write. Until the others are approved, those of its canary: where a
 * row fails, the next one takes its place.
 */
export function createNextRows({ batches }: Pick<ActivityDeps, 'batches'>) {
  return async ({ task, limit }: NextRows): Promise<NextRow[]> => {
    const { taskId: batchId, organizationId } = task;
    const { canary, canaryApproved, status } = await batches.find(organizationId, batchId);
    // the signal that stops the run may be lost
    if (status !== 'running') return [];
    const first = canaryApproved ? {} : defined({ canary });
    return batches.next(batchId, { state: 'waiting', limit, ...first });
  };
}
