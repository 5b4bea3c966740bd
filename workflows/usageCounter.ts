import { ApplicationFailure, TimeoutFailure } from '@temporalio/workflow';
import type { UsageLimits, TaskInput, TaskUsage, TokenUsage } from '../src/contract/task.ts';
import { TURN_LIMIT } from './policies.ts';

/** What one call of the agent used. The rules use nothing. */
interface CallUsage {
  usage?: TokenUsage | undefined;
  /** Milliseconds of work. */
  workedMs?: number | undefined;
  /** The page that it worked on, if pages are written in parallel. */
  page?: string;
}

const MINUTE = 60_000;

/**
 * Counts the tokens, turns and working time of a task's agent, and stops the task at its budget. An
 * activity that Temporal repeats counts once.
 */
export function createUsageCounter({ model, budget }: Pick<TaskInput, 'model' | 'budget'>) {
  const usedTotals = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, turns: 0 };
  const workedMsByPage = new Map<string, number>();
  const usedTokens = () => usedTotals.inputTokens + usedTotals.outputTokens;
  // pages are written in parallel: the one that takes longest counts
  const longestWorkMs = () => Math.max(0, ...workedMsByPage.values());
  const throwIfOverBudget = (isUsedUp: (amount: number, limit: number) => boolean) => {
    if (!budget) return;
    if (isUsedUp(usedTokens(), budget.tokens))
      throw budgetUsedUp('tokens', usedTokens(), budget.tokens);
    if (isUsedUp(longestWorkMs(), budget.minutes * MINUTE))
      throw budgetUsedUp('minutes', toMinutes(longestWorkMs()), budget.minutes);
  };

  const addTokens = ({ inputTokens, cachedInputTokens, outputTokens }: TokenUsage) => {
    usedTotals.inputTokens += inputTokens;
    usedTotals.cachedInputTokens += cachedInputTokens;
    usedTotals.outputTokens += outputTokens;
  };

  return {
    /** Throws LIMIT_EXCEEDED if the budget leaves nothing for another call. */
    beforeCall() {
      throwIfOverBudget((amount, limit) => amount >= limit);
    },
    /** `beforeCall` for prompt tasks, whose calls are turns. */
    beforeTurn() {
      if (usedTotals.turns >= (budget?.turns ?? TURN_LIMIT)) throw tooManyTurns(budget);
      this.beforeCall();
    },
    /** Adds a call. Throws LIMIT_EXCEEDED if the task has now used more than its budget. */
    add({ usage, workedMs = 0, page = '' }: CallUsage) {
      usedTotals.turns++;
      if (usage) addTokens(usage);
      workedMsByPage.set(page, (workedMsByPage.get(page) ?? 0) + workedMs);
      throwIfOverBudget((amount, limit) => amount > limit);
    },
    /** Waits for an activity. If it fails after the model answered, still counts its tokens. */
    async countEvenIfFailed<T>(modelCall: Promise<T>): Promise<T> {
      try {
        return await modelCall;
      } catch (error) {
        const usage = usageIn(error);
        if (usage) {
          usedTotals.turns++;
          addTokens(usage);
        }
        throw error;
      }
    },
    /** For the task's output: undefined for the rules. */
    usage: (): TaskUsage | undefined =>
      model === undefined ? undefined : { ...usedTotals, model },
  };
}

/** The usage in the details of a failed activity, or of its last heartbeat. */
function usageIn(error: unknown): TokenUsage | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const details: unknown =
      cause instanceof TimeoutFailure
        ? cause.lastHeartbeatDetails
        : cause instanceof ApplicationFailure
          ? cause.details?.[0]
          : undefined;
    const { usage } = (details ?? {}) as { usage?: TokenUsage };
    if (usage) return usage;
  }
  return undefined;
}

const toMinutes = (ms: number) => Math.round((ms / MINUTE) * 10) / 10;

const budgetWords = { tokens: 'tokens', minutes: 'minutes of work' };

const budgetUsedUp = (budgetField: keyof typeof budgetWords, usedAmount: number, limit: number) =>
  limitExceeded(
    `The task used ${usedAmount} ${budgetWords[budgetField]} and its budget is ${limit}${budgetAdvice(budgetField)}`,
  );

export function tooManyTurns(budget?: UsageLimits) {
  const message = `The agent did not finish within ${budget?.turns ?? TURN_LIMIT} turns`;
  return limitExceeded(budget ? message + budgetAdvice('turns') : message);
}

const budgetAdvice = (budgetField: keyof UsageLimits) =>
  `. Set budget.${budgetField} in the request to raise it`;

const limitExceeded = (message: string) =>
  ApplicationFailure.nonRetryable(message, 'LIMIT_EXCEEDED');

/** Whether a failure means that the budget is used up. */
export const isBudgetUsedUp = (error: unknown) =>
  error instanceof ApplicationFailure && error.type === 'LIMIT_EXCEEDED';
