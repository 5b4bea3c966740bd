import type { ListedLive, TaskName, TaskSummary as SummaryAnswer } from '../../contract/answers.ts';
import { defined } from '../../contract/defined.ts';
import type { TaskList, TaskSummary } from '../../temporal/tasks/tasks.ts';

/**
 * A part of an organization's tasks.
 * @param about in the order of the tasks, like `live`
 */
export function presentTaskList(
  { tasks, nextCursor }: TaskList,
  about: TaskName[],
  live: ListedLive[],
) {
  const present = (task: TaskSummary, i: number): SummaryAnswer => ({
    ...presentSummary(task),
    ...about[i]!,
    ...live[i]!,
  });
  return { tasks: tasks.map(present), nextCursor };
}

function presentSummary({
  taskId,
  type,
  siteId,
  status,
  publish,
  createdAt,
  finishedAt,
  ...more
}: TaskSummary) {
  const { callbackState: callback = null, restores, asks } = more;
  return defined({
    taskId,
    type,
    siteId,
    status,
    publish,
    createdAt,
    finishedAt,
    callback,
    restores,
    asks,
  });
}
