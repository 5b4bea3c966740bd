import type { Budget } from '../src/contract/task.ts';
import { DomainError } from '../src/errors.ts';
import type { Conversation } from '../src/agents/agent.ts';
import type { Workspace } from '../src/agents/workspace.ts';
import type { Attempt } from './attempt.ts';

/** A task ends at this number of turns with the same failing call. */
const SAME_FAILURES = 3;
const LONGEST_ERROR = 300;

/**
 * Ends a task whose model keeps making the same failing call.
 * @throws DomainError MODEL_FAILED if the last turn has the third call of a tool with the same
 * arguments and error
 */
export function refuseRepeats({ turns }: Pick<Conversation, 'turns'>): void {
  const failures = turns.map(({ turn, results }) => {
    const failed = results.flatMap((result, i) =>
      result.isError ? [{ ...turn.toolCalls[i]!, ...result }] : [],
    );
    return new Map(
      failed.map((call) => [JSON.stringify([call.name, call.arguments, call.content]), call]),
    );
  });
  for (const [same, { name, content }] of failures.at(-1) ?? [])
    if (failures.filter((turn) => turn.has(same)).length >= SAME_FAILURES)
      throw new DomainError(
        'MODEL_FAILED',
        `The model made the same failing call ${SAME_FAILURES} times. ${name}: ${content.slice(0, LONGEST_ERROR)}`,
      );
}

/**
 * Ends a task that changes more pages than its budget allows.
 * @throws DomainError LIMIT_EXCEEDED that names the budget's field
 */
export function refuseOverBudget(
  { pagesChanged, pagesDeleted }: Budget,
  { changed, deleted }: ReturnType<Workspace['counts']>,
): void {
  refuse('changes', changed, { name: 'pagesChanged', limit: pagesChanged });
  refuse('deletes', deleted, { name: 'pagesDeleted', limit: pagesDeleted });
}

const MINUTE = 60_000;

/**
 * Counts the working time of a model's step over all its attempts. Ends the task if the step worked
 * longer than the budget allows.
 * @throws DomainError LIMIT_EXCEEDED that names the budget's field
 */
export function countTime(
  attempt: Pick<Attempt, 'countWork' | 'workedMs'>,
  budget: Budget | undefined,
): void {
  attempt.countWork();
  const minutes = Math.round(attempt.workedMs() / MINUTE);
  if (!budget || attempt.workedMs() <= budget.minutes * MINUTE) return;
  const what = `A call of the model was tried for ${minutes} minutes; the task's budget has ${budget.minutes}`;
  throw new DomainError('LIMIT_EXCEEDED', `${what}: a request can raise it by budget.minutes`);
}

function refuse(
  does: string,
  count: number,
  { name, limit }: { name: keyof Budget; limit: number },
): void {
  if (count <= limit) return;
  const what = `The task ${does} ${count} pages; its budget allows ${limit}`;
  throw new DomainError('LIMIT_EXCEEDED', `${what}: a request can raise it by budget.${name}`);
}
