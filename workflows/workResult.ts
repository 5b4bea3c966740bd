import type { PageFile } from '../src/contract/site.ts';
import type { EditWork, Note, TaskInput, TaskOutput, TaskResult } from '../src/contract/task.ts';

/** The result of a task's work: the commit with its pages, or no commit if nothing changed. */
export interface WorkResult extends Pick<TaskOutput, 'summary' | 'usage'> {
  notes?: Note[];
  base: string;
  commit: string | null;
  created: PageFile[];
  modified: PageFile[];
  deleted: PageFile[];
  externalIds?: Record<string, string>;
}

/** The result of an edit task: the editor has made the commit before the task began. */
export const editedPageResult = ({ base, commit, page }: EditWork): WorkResult => ({
  base,
  commit,
  created: [],
  modified: [page],
  deleted: [],
});

/** The commit of the production branch from which the lowest base task, or else the work, began. */
export function rootCommit({ baseTask, work }: TaskInput, base: string): string {
  return work.type === 'publish' ? work.result.root : (baseTask?.root ?? base);
}

/**
 * The result that later tasks can build on or publish: this task's, or that of its base task if it
 * changed nothing itself.
 */
export function currentResult(
  task: TaskInput,
  { base, commit }: WorkResult,
): TaskResult | undefined {
  if (task.work.type === 'publish') return task.work.result;
  return commit === null
    ? task.baseTask
    : { taskId: task.taskId, base, commit, root: rootCommit(task, base) };
}
