import {
  type FailureKind,
  type TaskOutcome,
  type Page,
  type Question,
  type TaskInput,
  type TaskPhase,
  type TaskProgress,
  type TokenUsage,
  createTaskView,
  type ExternalWait,
} from '../src/contract/task.ts';
import { withoutUndefined } from '../src/contract/withoutUndefined.ts';
import type { OutcomeWithEvents } from '../src/contract/outcome.ts';
import { createDetails } from './currentDetails.ts';
import { createTaskEvents } from './taskEvents.ts';
import { createTaskMeasures } from './taskMeasures.ts';
import { createUsageCounter } from './usageCounter.ts';

export type ProgressReporter = ReturnType<typeof createProgress>;

/**
 * Keeps the progress of a task, and shows it everywhere: in the status query, in the stream of
 * events, in the Temporal UI and in the metrics. The work reports to it, for example by
 * `phase('committing')` or `pageDone('/locations/lisbon')`.
 */
export function createProgress(task: TaskInput) {
  const { taskId } = task;
  const details = createDetails();
  const { addEvent, all: events } = createTaskEvents();
  const measures = createTaskMeasures(task);
  const usageCounter = createUsageCounter(task);
  let progress = initialProgress(task);
  let outcome: OutcomeWithEvents | undefined;
  let isCancelled = false;
  let waitsForPeople = false;
  addEvent({ type: 'status', status: 'running' });

  const advance = (changes: Partial<TaskProgress>) => {
    progress = { ...progress, ...changes };
    addEvent({ type: 'progress', progress });
  };

  return {
    usageCounter,
    phase(newPhase: TaskPhase) {
      if (details.has(progress.phase)) {
        details.set(progress.phase, 'done');
        measures.phaseEnded(progress.phase);
      }
      advance({ phase: newPhase });
      details.set(newPhase, 'running');
    },
    pageDone(slug: string) {
      const { pages } = progress;
      if (pages) advance({ pages: { ...pages, done: pages.done + 1 } });
      details.set(`page ${slug}`, 'written');
    },
    turnDone(toolNames: string[], usage?: TokenUsage) {
      const turns = (progress.steps ?? 0) + 1;
      advance({ steps: turns });
      details.set(
        `turn ${turns}`,
        [countedTools(toolNames), ...(usage ? [tokenSummary(usage)] : [])].join(' · '),
      );
    },
    /** Shows what the task waits for outside of the service. Absent: it no longer waits. */
    waitsFor(waitingFor?: ExternalWait) {
      progress = withoutWaiting(progress);
      advance(withoutUndefined({ waitingFor }));
      details.waits(waitingFor);
    },
    /** Waits for people. Meanwhile, even a task that is publishing can be cancelled. */
    async whilePeopleDecide<T>(wait: () => Promise<T>): Promise<T> {
      waitsForPeople = true;
      try {
        return await wait();
      } finally {
        waitsForPeople = false;
      }
    },
    asked: ({ since: _, ...question }: Question) => addEvent({ type: 'question', question }),
    /** @param answer null if nobody answered in time */
    answered: (questionId: string, answer: string | null) =>
      addEvent({ type: 'answer', questionId, answer }),
    /** Pages whose previews can be opened. */
    previewed(pages: Pick<Page, 'slug' | 'previewUrl' | 'editUrl'>[]) {
      for (const page of pages) addEvent({ type: 'page', page });
    },
    finish(finished: TaskOutcome, failureKind?: FailureKind): OutcomeWithEvents {
      addEvent({ type: 'status', status: finished.status });
      outcome = { ...finished, events: events() };
      measures.phaseEnded(progress.phase);
      measures.ended(failureKind);
      const { usage } = finished.status === 'completed' ? finished.output : finished;
      if (usage)
        details.set('model', `${usage.model}, ${usage.turns} calls · ${tokenSummary(usage)}`);
      details.set(progress.phase, finished.status === 'completed' ? 'done' : 'failed');
      details.set(
        'status',
        finished.status === 'completed'
          ? 'completed'
          : `failed (${failureKind}): ${finished.errorMessage}`,
      );
      return outcome;
    },
    callback: (state: string) => details.set('callback', state),
    ended: () => outcome,
    view: () => ({ ...createTaskView(taskId, outcome, progress), events: events() }),
    /** `working`: the task can be cancelled. It can also while it waits for people to merge. */
    state() {
      if (outcome) return 'finished';
      return progress.phase === 'publishing' && !waitsForPeople ? 'publishing' : 'working';
    },
    cancelled: () => void (isCancelled = true),
    isCancelled: () => isCancelled,
  };
}

const withoutWaiting = ({ waitingFor: _, ...remainingProgress }: TaskProgress): TaskProgress =>
  remainingProgress;

/** For example `['read_page', 'search', 'read_page']` → `read_page ×2, search`. */
function countedTools(toolNames: string[]): string {
  const counts = new Map<string, number>();
  for (const tool of toolNames) counts.set(tool, (counts.get(tool) ?? 0) + 1);
  return (
    [...counts].map(([tool, count]) => (count > 1 ? `${tool} ×${count}` : tool)).join(', ') ||
    'no tool calls'
  );
}

const tokenSummary = ({ inputTokens, cachedInputTokens, outputTokens }: TokenUsage) =>
  `${inputTokens} input tokens (${cachedInputTokens} cached), ${outputTokens} output tokens`;

function initialProgress({ work }: TaskInput): TaskProgress {
  const phase = 'reading';
  if (work.type === 'generate_pages')
    return { phase, pages: { done: 0, total: work.items.length } };
  return work.type === 'prompt' ? { phase, steps: 0 } : { phase };
}
