import type { TaskOutput, TaskView } from '../../src/contract/task.ts';

/** What a completed task brought. Throws, telling the view, for any other. */
export function outputOf(view: TaskView): TaskOutput {
  if (view.status !== 'completed') throw new Error(`The task did not complete: ${JSON.stringify(view)}`);
  return view.output;
}

/** Why a failed task failed. Throws, telling the view, for any other. */
export function errorOf(view: TaskView): string {
  if (view.status !== 'failed') throw new Error(`The task did not fail: ${JSON.stringify(view)}`);
  return view.errorMessage;
}
