import type { Calls } from '../src/agents/calls.ts';
import type { Attempt } from './attempt.ts';
import type { TaskRef } from './deps.ts';

interface Argument {
  task: TaskRef;
  /** The language model that the step calls. Absent: the rules do the work. */
  model?: string;
}
type Step<A, R> = (argument: A, signal: AbortSignal, attempt: Attempt) => Promise<R>;

/**
 * Queues steps that call a language model, fairly among organizations. A step waits before it opens
 * anything: many steps may wait, and a conversation with a site's pages takes megabytes. Steps of
 * the rules start immediately.
 */
export const queueModelCalls =
  <A extends Argument, R>(calls: Calls, step: Step<A, R>): Step<A, R> =>
  (argument, signal, attempt) => {
    const run = () => step(argument, signal, attempt);
    return argument.model === undefined
      ? run()
      : calls.run(argument.task.organizationId, run, signal);
  };
