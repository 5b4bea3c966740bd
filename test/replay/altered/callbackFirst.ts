import type { TaskInput } from '../../../src/contract/task.ts';
import { callbacks } from '../../../workflows/activities.ts';
import { taskWorkflow as original } from '../../../workflows/index.ts';

/** The workflow with its activities reordered: the callback comes before the work. Only for the negative control. */
export async function taskWorkflow(task: TaskInput) {
  const finished = { status: 'failed' as const, errorMessage: '', finishedAt: task.createdAt };
  await callbacks.sendCallback({ task, callbackUrl: '', finished });
  return original(task);
}
