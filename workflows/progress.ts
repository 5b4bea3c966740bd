import { setCurrentDetails } from '@temporalio/workflow';
import type { FinishedView, TaskInput, TaskPhase, TaskProgress, TaskView } from '../src/contract/task.ts';

export type Progress = ReturnType<typeof createProgress>;

/** How far the task is: for the status query and, as a short Markdown table, for the Temporal UI. */
export function createProgress(task: TaskInput) {
  const { taskId, work } = task;
  const rows: { name: string; state: string }[] = [];
  let progress: TaskProgress = { phase: 'reading' };
  if (work.type === 'generate_pages') progress.pages = { done: 0, total: work.items.length };
  else progress.steps = 0;
  let finished: FinishedView | undefined;

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
    progress = { ...progress, phase: next };
    row(next, 'running');
  };

  return {
    phase,
    pageDone(slug: string) {
      if (progress.pages) progress = { ...progress, pages: { ...progress.pages, done: progress.pages.done + 1 } };
      row(`page ${slug}`, 'written');
    },
    stepDone(tools: string[]) {
      const steps = (progress.steps ?? 0) + 1;
      progress = { ...progress, steps };
      row(`turn ${steps}`, tools.join(', ') || 'no tool');
    },
    finish(view: FinishedView) {
      finished = view;
      row(progress.phase, view.status === 'completed' ? 'done' : 'failed');
      row('status', view.status === 'completed' ? 'completed' : `failed: ${view.errorMessage}`);
    },
    callback: (state: string) => row('callback', state),
    view: (): TaskView => (finished ? viewOf(taskId, finished) : { taskId, status: 'running', progress }),
  };
}

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
