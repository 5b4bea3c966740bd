import { defined } from '../../contract/defined.ts';
import type { TaskList, TaskSummary } from '../../temporal/tasks/tasks.ts';
import type { PresentedAbout } from './tasks.present.ts';

/** A part of an organization's tasks. @param about in the order of the tasks */
export function presentTaskList({ tasks, nextCursor }: TaskList, about: PresentedAbout[]) {
  return { tasks: tasks.map((task, i) => ({ ...presentSummary(task), ...about[i] })), nextCursor };
}

function presentSummary({ taskId, type, siteId, status, publish, createdAt, finishedAt, callbackState }: TaskSummary) {
  return defined({ taskId, type, siteId, status, publish, createdAt, finishedAt, callback: callbackState ?? null });
}
