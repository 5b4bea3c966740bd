import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { NewPageContent } from '../activities/deps.ts';
import type { TaskActivities } from '../activities/index.ts';
import type { OutcomeWithEvents } from '../src/contract/outcome.ts';
import { CANCEL_SIGNAL, PAUSE_SIGNAL, RESUME_SIGNAL } from '../src/contract/batches/batch.ts';
import {
  ANSWER_UPDATE,
  CONTEXTS_QUERY,
  type QuestionAnswer,
  FORGE_EVENT_SIGNAL,
  PAGES_QUERY,
  type TaskEvent,
  type TaskView,
  TURNS_QUERY,
} from '../src/contract/task.ts';

export type AgentTurn = Awaited<ReturnType<TaskActivities['runAgentTurn']>>['turn'];

/** The status view, progress included, and the events so far. */
export const statusQuery = defineQuery<TaskView & { events: TaskEvent[] }>('status');

/** The whole outcome of the task, once it is decided. The memo may have only a part of it. */
export const endedQuery = defineQuery<OutcomeWithEvents | undefined>('ended');

/** The turns of a prompt task so far, for a worker without their conversation in its memory. */
export const turnsQuery = defineQuery<AgentTurn[]>(TURNS_QUERY);

/**
 * The contexts of the items, or a prompt task's prompt, for a commit that must know whether the
 * request names a new host.
 */
export const contextsQuery = defineQuery<string[]>(CONTEXTS_QUERY);

/** The texts of the written pages, by slug, for their commit. */
export const pagesQuery = defineQuery<Record<string, NewPageContent>>(PAGES_QUERY);

/** Stops the work. Refused from the start of publishing on, and when the task is finished. */
export const cancelUpdate = defineUpdate<void>('cancel');

/** Something happened at the forge, such as a push. A task that waits for it checks at once. */
export const forgeEventSignal = defineSignal(FORGE_EVENT_SIGNAL);

/** Answers the question that the task asks. Repeating the answer changes nothing. */
export const answerUpdate = defineUpdate<void, [QuestionAnswer]>(ANSWER_UPDATE);

/** A batch has more work: it was resumed, approved or retried. */
export const resumeBatchSignal = defineSignal(RESUME_SIGNAL);

/** Stops a run of a batch after the pages that it is writing. */
export const pauseBatchSignal = defineSignal(PAUSE_SIGNAL);

/** Stops a run of a batch at once, unless it is publishing. */
export const cancelBatchSignal = defineSignal(CANCEL_SIGNAL);
