import type { UsageLimits } from '../src/contract/task.ts';
import { DomainError } from '../src/errors.ts';
import type { AgentConversation } from '../src/agents/shared/agentTypes.ts';
import type { Workspace } from '../src/agents/workspace.ts';
import type { ActivityAttempt } from './activityAttempt.ts';

/** A task ends after this number of turns with the same failing tool call. */
const SAME_FAILURES = 3;
const LONGEST_ERROR = 300;

/**
 * Ends a task whose model keeps making the same failing call.
 * @throws DomainError MODEL_FAILED if the last turn is the third one in which a tool with the same
 *   arguments failed with the same error
 */
export function refuseRepeats({ turns }: Pick<AgentConversation, 'turns'>): void {
  const failuresByTurn = turns.map(({ turn, results }) => {
    const failedCalls = results.flatMap((result, i) =>
      result.isError ? [{ ...turn.toolCalls[i]!, ...result }] : [],
    );
    return new Map(
      failedCalls.map((call) => [JSON.stringify([call.name, call.arguments, call.content]), call]),
    );
  });
  for (const [callKey, { name, content }] of failuresByTurn.at(-1) ?? [])
    if (failuresByTurn.filter((turn) => turn.has(callKey)).length >= SAME_FAILURES)
      throw new DomainError('MODEL_FAILED', repeatedFailureMessage(name, content));
}

/**
 * Ends a task that changes more pages than its budget allows.
 * @throws DomainError LIMIT_EXCEEDED that names the budget's field
 */
export function refuseOverBudget(
  { pagesChanged, pagesDeleted }: UsageLimits,
  { changed, deleted }: ReturnType<Workspace['counts']>,
): void {
  refuseOverPageBudget('changes', changed, { name: 'pagesChanged', limit: pagesChanged });
  refuseOverPageBudget('deletes', deleted, { name: 'pagesDeleted', limit: pagesDeleted });
}

const MINUTE = 60_000;

/**
 * Starts counting the working time of an activity that calls a language model, over all its
 * attempts. Ends the task if earlier attempts worked longer than the budget allows.
 * @throws DomainError LIMIT_EXCEEDED that names the budget's field
 */
export function countTime(
  attempt: Pick<ActivityAttempt, 'countWork' | 'workedMs'>,
  budget: UsageLimits | undefined,
): void {
  attempt.countWork();
  const minutes = Math.round(attempt.workedMs() / MINUTE);
  if (!budget || attempt.workedMs() <= budget.minutes * MINUTE) return;
  const reason = `A language model call was retried for ${minutes} minutes, and the budget of the task is ${budget.minutes}`;
  throw new DomainError(
    'LIMIT_EXCEEDED',
    `${reason}. Set budget.minutes in the request to raise it`,
  );
}

function refuseOverPageBudget(
  verb: string,
  count: number,
  { name, limit }: { name: keyof UsageLimits; limit: number },
): void {
  if (count <= limit) return;
  const reason = `The task ${verb} ${count} pages and its budget allows ${limit}`;
  throw new DomainError(
    'LIMIT_EXCEEDED',
    `${reason}. Set budget.${name} in the request to raise it`,
  );
}

export const repeatedFailureMessage = (toolName: string, error: string) =>
  `The language model made the same failing call ${SAME_FAILURES} times. Rephrase the instructions, or choose another model. The error of ${toolName} was: ${error.slice(0, LONGEST_ERROR)}`;
