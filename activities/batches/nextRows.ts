import type { NextRow } from '../../src/contract/batchStore.ts';
import type { ActivityDeps, TaskRef } from '../deps.ts';

interface NextRows {
  task: TaskRef;
  limit: number;
}

/** The next rows of a batch to write: those of its canary first, until the others are approved. */
export function createNextRows({ batches }: Pick<ActivityDeps, 'batches'>) {
  return async ({ task, limit }: NextRows): Promise<NextRow[]> => {
    const { taskId: batchId, organizationId } = task;
    const { canary, canaryApproved, status } = await batches.find(organizationId, batchId);
    // the signal that stops the run may be lost
    if (status !== 'running') return [];
    const upTo = canary !== undefined && !canaryApproved ? { upTo: canary } : {};
    return batches.next(batchId, { state: 'waiting', limit, ...upTo });
  };
}
