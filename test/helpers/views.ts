import type { TaskOutput, TaskView } from '../../src/contract/task.ts';

/** What a completed task brought. Throws, telling the view, for any other. */
export function outputOf(view: TaskView): TaskOutput & { warnings?: string[] } {
  if (view.status !== 'completed')
    throw new Error(`The task did not complete: ${JSON.stringify(view)}`);
  return view.output;
}

/** Why a failed task failed. Throws, telling the view, for any other. */
export function errorOf(view: TaskView): string {
  if (view.status !== 'failed') throw new Error(`The task did not fail: ${JSON.stringify(view)}`);
  return view.errorMessage;
}

/**
 * The view as the contract has it (docs/contract.md, section 4.2): without who made the task, of
 * what site, and what it follows.
 */
export function specified(view: TaskView): TaskView {
  const names = ['taskId', 'status', 'progress', 'output', 'errorMessage'];
  return Object.fromEntries(
    Object.entries(view).filter(([name]) => names.includes(name)),
  ) as TaskView;
}
