import type { TaskSummaryResponse } from '../../../../contract/responses.ts';

/** One piece of work in the list of tasks: a task with those that publish, retry or continue it. */
export interface WorkEntry {
  /** The task to open: the one that has the latest result, or that needs a person. */
  task: TaskSummaryResponse;
  /** The task whose state is shown: `task`, or the one that is publishing it or failed to. */
  stateTask: TaskSummaryResponse;
  /** How many other tasks, besides publishes, belong to it. */
  earlierTasks: number;
}

/**
 * Combines the tasks that follow each other, so that each piece of work is listed once, at the
 * place of the first of its tasks in the list. A task whose predecessor is not in the list begins
 * an entry.
 */
export function groupWork(tasks: TaskSummaryResponse[]): WorkEntry[] {
  const tasksById = new Map(tasks.map((task) => [task.taskId, task]));
  const rootIds = new Map<string, string>();
  const rootIdOf = (task: TaskSummaryResponse): string => {
    const knownId = rootIds.get(task.taskId);
    if (knownId !== undefined) return knownId;
    rootIds.set(task.taskId, task.taskId);
    const predecessor = task.follows ? tasksById.get(task.follows) : undefined;
    const rootId = predecessor ? rootIdOf(predecessor) : task.taskId;
    rootIds.set(task.taskId, rootId);
    return rootId;
  };
  return [...Map.groupBy(tasks, rootIdOf).values()].map(createEntry);
}

function createEntry(tasks: TaskSummaryResponse[]): WorkEntry {
  const latestFirst = tasks.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
  const workTasks = latestFirst.filter(({ type }) => type !== 'publish');
  const [latestTask] = latestFirst;
  const task =
    workTasks.find(({ asks }) => asks) ??
    workTasks.find(({ status }) => status === 'running') ??
    workTasks[0] ??
    latestTask!;
  const isPublishPending = latestTask!.type === 'publish' && latestTask!.status !== 'completed';
  return {
    task,
    stateTask: isPublishPending ? latestTask! : task,
    earlierTasks: Math.max(0, workTasks.length - 1),
  };
}
