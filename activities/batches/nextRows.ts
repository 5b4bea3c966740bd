import type { NextRow } from '../../src/contract/batchStore.ts';
import type { RowState } from '../../src/contract/batch.ts';
import type { ActivityDeps, TaskRef } from '../deps.ts';

interface NextRows {
  task: TaskRef;
  state: RowState;
  limit: number;
}

/** The next rows of a batch in a state: those of its canary first, until the others are approved. */
export function createNextRows({ batches }: Pick<ActivityDeps, 'batches'>) {
  return async ({ task, state, limit }: NextRows): Promise<NextRow[]> => {
    const { taskId: batchId, organizationId } = task;
    const { canary, canaryApproved } = await batches.find(organizationId, batchId);
    const upTo = canary !== undefined && !canaryApproved ? { upTo: canary } : {};
    return batches.next(batchId, { state, limit, ...upTo });
  };
}
