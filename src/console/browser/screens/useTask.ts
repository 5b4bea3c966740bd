import { path } from '../../../browser/path.ts';
import { useEffect, useState } from 'preact/hooks';
import { api } from '../client/api.ts';
import { follow } from '../client/events.ts';
import type {
  PreviewedPage,
  Task,
  TaskEventAnswer,
  TaskSummary,
} from '../../../contract/answers.ts';
import { useData } from '../useData.ts';

export interface Followed {
  task: Task | undefined;
  error: unknown;
  /** Pages that have a preview while the task runs still. */
  pages: PreviewedPage[];
  reload: () => void;
}

/** A task, live: while it runs, its events change it. */
export function useTask(taskId: string): Followed {
  const {
    data: task,
    error,
    reload,
    set,
  } = useData<Task>(`task ${taskId}`, () => api(path`/agent/tasks/${taskId}`));
  const [pages, setPages] = useState<PreviewedPage[]>([]);
  const [lost, setLost] = useState<unknown>();
  const isRunning = task?.status === 'running';
  useEffect(() => {
    if (!task || !isRunning) return undefined;
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
  return { task, error: error ?? (isRunning ? lost : undefined), pages, reload };
}

/** The tasks that came out of a task: publishes, retries, and those on top of it. */
export function useFollowers(task: Task | undefined) {
  const siteId = task?.siteId;
  return useData<TaskSummary[]>(`followers ${task?.taskId} ${siteId}`, async () => {
    if (!task) return [];
    const { tasks } = await api<{ tasks: TaskSummary[] }>(path`/agent/tasks`, {
      query: { siteId, limit: 100 },
    });
    return tasks.filter(({ follows }) => follows === task.taskId);
  });
}
