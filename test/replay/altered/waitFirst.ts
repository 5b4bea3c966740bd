import { sleep } from '@temporalio/workflow';
import type { BatchInput } from '../../../src/contract/batches/batch.ts';
import type { TaskInput } from '../../../src/contract/task.ts';
import {
  batchWorkflow as originalBatch,
  cleanUpWorkflow as originalCleanUp,
  taskWorkflow as original,
} from '../../../workflows/index.ts';

/** The workflow with a timer before its first step. For the negative control only. */
export async function taskWorkflow(task: TaskInput) {
  await sleep('1 second');
  return original(task);
}

export async function batchWorkflow(batch: BatchInput) {
  await sleep('1 second');
  return originalBatch(batch);
}

export async function cleanUpWorkflow() {
  await sleep('1 second');
  return originalCleanUp();
}
