import type { BatchInput } from '../../../src/contract/batches/batch.ts';
import type { TaskInput } from '../../../src/contract/task.ts';
import { callbackActivities } from '../../../workflows/activityProxies.ts';
import {
  batchWorkflow as originalBatch,
  cleanUpWorkflow as originalCleanUp,
  taskWorkflow as original,
} from '../../../workflows/index.ts';

/**
 * The workflow with its activities reordered: the callback comes before the work. Only for the
 * negative control.
 */
export async function taskWorkflow(task: TaskInput) {
  await callBack(task);
  return original(task);
}

export async function batchWorkflow(batch: BatchInput) {
  await callBack(batch);
  return originalBatch(batch);
}

export async function cleanUpWorkflow() {
  await callBack({ taskId: '', organizationId: '', createdAt: '' });
  return originalCleanUp();
}

function callBack(task: Pick<TaskInput, 'taskId' | 'organizationId' | 'createdAt'>) {
  const finished = { status: 'failed' as const, errorMessage: '', finishedAt: task.createdAt };
  return callbackActivities.sendCallback({ task: task as TaskInput, callbackUrl: '', finished });
}
