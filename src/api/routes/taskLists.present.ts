import { defined } from '../../contract/defined.ts';
import type { TaskList, TaskSummary } from '../../temporal/tasks/tasks.ts';

/** A part of an organization's tasks. */
export function presentTaskList({ tasks, nextCursor }: TaskList) {
  return { tasks: tasks.map(presentSummary), nextCursor };
}

function presentSummary({ taskId, type, siteId, status, publish, createdAt, finishedAt }: TaskSummary) {
  return defined({ taskId, type, siteId, status, publish, createdAt, finishedAt });
}
