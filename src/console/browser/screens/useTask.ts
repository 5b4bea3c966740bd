import { path } from '../../../browser/path.ts';
import { useEffect, useState } from 'preact/hooks';
import { follow } from '../client/events.ts';
import type {
  PreviewedPage,
  Task,
  TaskEventAnswer,
  TaskSummary,
} from '../../../contract/answers.ts';
import { type Data, useAnswer, useList } from '../useData.ts';

export interface Followed extends Omit<Data<Task>, 'set'> {
  /** Pages that have a preview already while the task is still running. */
  pages: PreviewedPage[];
}

/** A task. While it runs, its events keep it up to date. */
export function useTask(taskId: string): Followed {
  const { data: task, error, reload, set } = useAnswer<Task>(path`/agent/tasks/${taskId}`);
  const [pages, setPages] = useState<PreviewedPage[]>([]);
  const [lost, setLost] = useState<unknown>();
  const isRunning = task?.status === 'running';
  useEffect(() => {
    if (task?.status !== 'running') return undefined;
    const gone = new AbortController();
    let latest = task;
    const tell = (told: TaskEventAnswer) => {
      if (told.event === 'progress') {
        latest = { ...latest, progress: told.data };
        set(latest);
      }
      if (told.event === 'page')
        setPages((before) => [...before.filter(({ slug }) => slug !== told.data.slug), told.data]);
      if (told.event === 'done') reload();
    };
    follow(taskId, tell, gone.signal).catch(
      (failed: unknown) => gone.signal.aborted || setLost(failed),
    );
    return () => gone.abort();
  }, [taskId, isRunning]);
  return { data: task, error: error ?? (isRunning ? lost : undefined), pages, reload };
}

/** The tasks that publish, retry or build on a task. */
export function useFollowers({ taskId, siteId }: Task): TaskSummary[] {
  const { data = [] } = useList<TaskSummary>(path`/agent/tasks`, 'tasks', { siteId, limit: 100 });
  return data.filter(({ follows }) => follows === taskId);
}
