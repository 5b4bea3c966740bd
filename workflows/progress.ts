import {
  type FailureKind,
  type FinishedView,
  type Page,
  type Question,
  type TaskInput,
  type TaskPhase,
  type TaskProgress,
  type Usage,
  viewOf,
  type WaitingFor,
} from '../src/contract/task.ts';
import { defined } from '../src/contract/defined.ts';
import type { Ended } from '../src/contract/ended.ts';
import { createDetails } from './currentDetails.ts';
import { createEvents } from './taskEvents.ts';
import { createMeasures } from './measures.ts';
import { createSpending } from './spending.ts';

export type Progress = ReturnType<typeof createProgress>;

/** The task's progress, for the status query, the followers of its events, and the Temporal UI. */
export function createProgress(task: TaskInput) {
  const { taskId } = task;
  const details = createDetails();
  const { tell, all: events } = createEvents();
  const measures = createMeasures(task);
  const spending = createSpending(task);
  let progress = beginningOf(task);
  let ended: Ended | undefined;
  let isCancelled = false;
  let waitsForPeople = false;
  tell({ type: 'status', status: 'running' });

  const advance = (next: Partial<TaskProgress>) => {
    progress = { ...progress, ...next };
    tell({ type: 'progress', progress });
  };

  return {
    spending,
    phase(next: TaskPhase) {
      if (details.has(progress.phase)) {
        details.set(progress.phase, 'done');
        measures.phaseEnded(progress.phase);
      }
      advance({ phase: next });
      details.set(next, 'running');
    },
    pageDone(slug: string) {
      const { pages } = progress;
      if (pages) advance({ pages: { ...pages, done: pages.done + 1 } });
      details.set(`page ${slug}`, 'written');
    },
    stepDone(tools: string[], usage?: Usage) {
      const steps = (progress.steps ?? 0) + 1;
      advance({ steps });
      details.set(
        `turn ${steps}`,
        [counted(tools), ...(usage ? [tokensOf(usage)] : [])].join(' · '),
      );
    },
    /** What is waited for outside of the service. Absent: nothing any more. */
    waitsFor(waitingFor?: WaitingFor) {
      progress = withoutWaiting(progress);
      advance(defined({ waitingFor }));
      details.waits(waitingFor);
    },
    /** While people are waited for, a task that publishes can be cancelled. */
    async whilePeopleDecide<T>(wait: () => Promise<T>): Promise<T> {
      waitsForPeople = true;
      try {
        return await wait();
      } finally {
        waitsForPeople = false;
      }
    },
    asked: ({ since: _, ...question }: Question) => tell({ type: 'question', question }),
    /** @param answer null if nobody answered in time */
    answered: (questionId: string, answer: string | null) =>
      tell({ type: 'answer', questionId, answer }),
    /** Pages whose previews can be opened. */
    previewed(pages: Pick<Page, 'slug' | 'previewUrl' | 'editUrl'>[]) {
      for (const page of pages) tell({ type: 'page', page });
    },
    finish(end: FinishedView, kind?: FailureKind): Ended {
      tell({ type: 'status', status: end.status });
      ended = { ...end, events: events() };
      measures.phaseEnded(progress.phase);
      measures.ended(kind);
      const { usage } = end.status === 'completed' ? end.output : end;
      if (usage) details.set('model', `${usage.model}, ${usage.turns} calls · ${tokensOf(usage)}`);
      details.set(progress.phase, end.status === 'completed' ? 'done' : 'failed');
      details.set(
        'status',
        end.status === 'completed' ? 'completed' : `failed (${kind}): ${end.errorMessage}`,
      );
      return ended;
    },
    callback: (state: string) => details.set('callback', state),
    ended: () => ended,
    view: () => ({ ...viewOf(taskId, ended, progress), events: events() }),
    /** Only a task that still works, or waits for people, can be cancelled. */
    state() {
      if (ended) return 'finished';
      return progress.phase === 'publishing' && !waitsForPeople ? 'publishing' : 'working';
    },
    cancelled: () => void (isCancelled = true),
    isCancelled: () => isCancelled,
  };
}

const withoutWaiting = ({ waitingFor: _, ...rest }: TaskProgress): TaskProgress => rest;

/** `read_page ×2, search` */
function counted(tools: string[]): string {
  const counts = new Map<string, number>();
  for (const tool of tools) counts.set(tool, (counts.get(tool) ?? 0) + 1);
  return (
    [...counts].map(([tool, count]) => (count > 1 ? `${tool} ×${count}` : tool)).join(', ') ||
    'no tool'
  );
}

const tokensOf = ({ inputTokens, cachedInputTokens, outputTokens }: Usage) =>
  `${inputTokens} tokens read, ${cachedInputTokens} of them cached, ${outputTokens} written`;

function beginningOf({ work }: TaskInput): TaskProgress {
  const phase = 'reading';
  if (work.type === 'generate_pages')
    return { phase, pages: { done: 0, total: work.items.length } };
  if (work.type === 'drop') return { phase, pages: { done: 0, total: work.pages.length } };
  return work.type === 'prompt' ? { phase, steps: 0 } : { phase };
}
