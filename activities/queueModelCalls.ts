import type { FairModelCalls } from '../src/agents/model/calls/fairModelCalls.ts';
import type { ActivityAttempt } from './activityAttempt.ts';
import type { TaskRef } from './deps.ts';

interface ModelStepArgument {
  task: TaskRef;
  /** The language model that the activity calls. Absent: the rules do the work. */
  model?: string;
}
type ModelStep<A, R> = (argument: A, signal: AbortSignal, attempt: ActivityAttempt) => Promise<R>;

/**
 * Wraps an activity that may call a language model: it then waits in a queue that is fair among
 * organizations. It waits before it opens anything, since many activities may wait, and a
 * conversation with a site's pages takes megabytes. Activities of the rules start immediately.
 */
export const queueModelCalls =
  <A extends ModelStepArgument, R>(calls: FairModelCalls, step: ModelStep<A, R>): ModelStep<A, R> =>
  (argument, signal, attempt) => {
    const runStep = () => step(argument, signal, attempt);
    return argument.model === undefined
      ? runStep()
      : calls.run(argument.task.organizationId, runStep, signal);
  };
