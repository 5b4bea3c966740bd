import { patched, sleep } from '@temporalio/workflow';
import type { TaskInput } from '../../src/contract/task.ts';
import { taskWorkflow as original } from '../../workflows/index.ts';

/** The workflow as a later version might have it: with a timer that tasks of earlier versions do not have. */
export async function taskWorkflow(task: TaskInput) {
  if (patched('rolled-out')) await sleep('10 milliseconds');
  return original(task);
}
