import { defined } from '../../contract/defined.ts';
import type { TaskList, TaskSummary } from '../../temporal/tasks/tasks.ts';
import type { PresentedAbout } from './tasks.present.ts';

/** A part of an organization's tasks. @param about in the order of the tasks, as `live` */
export function presentTaskList({ tasks, nextCursor }: TaskList, about: PresentedAbout[], live: object[]) {
  return { tasks: tasks.map((task, i) => ({ ...presentSummary(task), ...about[i], ...live[i] })), nextCursor };
}

function presentSummary({ taskId, type, siteId, status, publish, createdAt, finishedAt, ...more }: TaskSummary) {
  const { callbackState: callback = null, restores } = more;
  return defined({ taskId, type, siteId, status, publish, createdAt, finishedAt, callback, restores });
}
