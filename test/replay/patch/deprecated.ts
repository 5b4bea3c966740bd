import { deprecatePatch, sleep } from '@temporalio/workflow';
import type { TaskInput } from '../../../src/contract/task.ts';
import { taskWorkflow as original } from '../../../workflows/index.ts';

/** The same when no task from before is left: every task has the timer. */
export async function taskWorkflow(task: TaskInput) {
  deprecatePatch('wait-first');
  await sleep('10 milliseconds');
  return original(task);
}
