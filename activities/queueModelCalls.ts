import type { Calls } from '../src/agents/calls.ts';
import type { Attempt } from './attempt.ts';
import type { TaskRef } from './deps.ts';

interface Argument {
  task: TaskRef;
  /** The language model that is called; absent: the rules. */
  model?: string;
}
type Step<A, R> = (argument: A, signal: AbortSignal, attempt: Attempt) => Promise<R>;

/**
 * Lets steps of language models wait for their organization's turn. They wait before they open
 * anything: many may wait, and a conversation with a site's pages has megabytes. Steps of the rules
 * begin at once.
 */
export const inTurn =
  <A extends Argument, R>(calls: Calls, step: Step<A, R>): Step<A, R> =>
  (argument, signal, attempt) => {
    const run = () => step(argument, signal, attempt);
    return argument.model === undefined
      ? run()
      : calls.run(argument.task.organizationId, run, signal);
  };
