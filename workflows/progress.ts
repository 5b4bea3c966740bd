import { setCurrentDetails } from '@temporalio/workflow';
import type {
  FinishedView,
  Page,
  TaskEvent,
  TaskInput,
  TaskPhase,
  TaskProgress,
  TaskView,
} from '../src/contract/task.ts';

export type Progress = ReturnType<typeof createProgress>;

/** How far the task is: for the status query and, as a short Markdown table, for the Temporal UI. */
export function createProgress(task: TaskInput) {
  const { taskId, work } = task;
  const rows: { name: string; state: string }[] = [];
  let progress: TaskProgress = { phase: 'reading' };
  if (work.type === 'generate_pages') progress.pages = { done: 0, total: work.items.length };
  if (work.type === 'prompt') progress.steps = 0;
  let finished: FinishedView | undefined;
  let isCancelled = false;
  const events: TaskEvent[] = [];
  const tell = (event: Told) => void events.push({ id: events.length + 1, at: new Date().toISOString(), ...event });
  const advance = (next: TaskProgress) => {
    progress = next;
    tell({ type: 'progress', progress });
  };
  tell({ type: 'status', status: 'running' });

  const row = (name: string, state: string) => {
    const found = rows.find((entry) => entry.name === name);
    if (found) found.state = state;
    else rows.push({ name, state });
    setCurrentDetails(
      [
        '| step | state |',
        '| --- | --- |',
        ...rows.map((entry) => `| ${cell(entry.name)} | ${cell(entry.state)} |`),
      ].join('\n'),
    );
  };
  const phase = (next: TaskPhase) => {
    if (rows.some(({ name }) => name === progress.phase)) row(progress.phase, 'done');
    advance({ ...progress, phase: next });
    row(next, 'running');
  };

  return {
    phase,
    pageDone(slug: string) {
      if (progress.pages) advance({ ...progress, pages: { ...progress.pages, done: progress.pages.done + 1 } });
      row(`page ${slug}`, 'written');
    },
    stepDone(tools: string[]) {
      const steps = (progress.steps ?? 0) + 1;
      advance({ ...progress, steps });
      row(`turn ${steps}`, tools.join(', ') || 'no tool');
    },
    /** Pages whose previews can be looked at. */
    previewed(pages: Pick<Page, 'slug' | 'previewUrl' | 'editUrl'>[]) {
      for (const page of pages) tell({ type: 'page', page });
    },
    finish(view: FinishedView) {
      finished = view;
      tell({ type: 'status', status: view.status });
      row(progress.phase, view.status === 'completed' ? 'done' : 'failed');
      row('status', view.status === 'completed' ? 'completed' : `failed: ${view.errorMessage}`);
    },
    callback: (state: string) => row('callback', state),
    events: () => events,
    view: () => ({ ...viewNow(), events }),
    state: () => (finished ? 'finished' : progress.phase === 'publishing' ? 'publishing' : 'working'),
    cancelled: () => void (isCancelled = true),
    isCancelled: () => isCancelled,
  };

  function viewNow(): TaskView {
    return finished ? viewOf(taskId, finished) : { taskId, status: 'running', progress };
  }
}

type Told = TaskEvent extends infer E ? (E extends TaskEvent ? Omit<E, 'id' | 'at'> : never) : never;

function viewOf(taskId: string, finished: FinishedView): TaskView {
  return finished.status === 'completed'
    ? { taskId, status: finished.status, output: finished.output }
    : { taskId, status: finished.status, errorMessage: finished.errorMessage };
}

const CELL_LENGTH = 200;
const cell = (text: string) =>
  text
    .slice(0, CELL_LENGTH)
    .replace(/[\r\n]+/g, ' ')
    .replace(/[|\\`<>[\]*_]/g, '\\$&');
