import { patched, sleep } from '@temporalio/workflow';
import type { TaskInput } from '../../../src/contract/task.ts';
import { taskWorkflow as original } from '../../../workflows/index.ts';

/** The workflow with a new timer, which tasks that began before do not get. */
export async function taskWorkflow(task: TaskInput) {
  if (patched('wait-first')) await sleep('10 milliseconds');
  return original(task);
}
