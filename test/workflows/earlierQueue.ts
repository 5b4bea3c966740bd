import { CancellationScope, proxyActivities } from '@temporalio/workflow';
import type { TaskInput } from '../../src/contract/task.ts';
import type { Activities } from '../../activities/index.ts';
import { WORK_LIMIT } from '../../workflows/policies.ts';

const { readSite } = proxyActivities<Pick<Activities, 'readSite'>>({ startToCloseTimeout: '3 minutes' });

/** The first step of a task as it was before the steps had queues of their own. */
export function taskWorkflow(task: TaskInput) {
  const work = new CancellationScope({ cancellable: true, timeout: WORK_LIMIT });
  return work.run(() => readSite({ task }));
}
