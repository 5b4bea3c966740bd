import { useEffect, useState } from 'preact/hooks';
import { hostPath } from '../../../../browser/hostPath.ts';
import type { Task, TaskSummaryResponse } from '../../../../contract/responses.ts';
import { type LoadedData, useAnswer, useList } from '../../useData.ts';

const EVERY_MS = 2_000;

/** A task. While it runs, it is read again every two seconds. */
export function useTask(taskId: string): LoadedData<Task> {
  const [everyMs, setEveryMs] = useState<number>();
  const task = useAnswer<Task>(hostPath`/agent/tasks/${taskId}`, {}, everyMs);
  const isRunning = task.data?.status === 'running';
  useEffect(() => setEveryMs(isRunning ? EVERY_MS : undefined), [isRunning]);
  return task;
}

/** The tasks that publish, retry or build on a task. */
export function useFollowers({ taskId, siteId }: Task): TaskSummaryResponse[] {
  const { data = [] } = useList<TaskSummaryResponse>(hostPath`/agent/tasks`, 'tasks', {
    siteId,
    limit: 100,
  });
  return data.filter(({ follows }) => follows === taskId);
}
