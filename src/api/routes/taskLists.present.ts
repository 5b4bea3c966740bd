import type { TaskList, TaskRecord } from '../../temporal/tasks/tasks.ts';

/** A part of an organization's tasks. */
export function presentTaskList({ tasks, nextCursor }: TaskList) {
  return { tasks: tasks.map(presentSummary), nextCursor };
}

function presentSummary({ taskId, type, siteId, status, publish, createdAt, finished }: TaskRecord) {
  return { taskId, type, siteId, status, publish, createdAt, ...(finished && { finishedAt: finished.finishedAt }) };
}
