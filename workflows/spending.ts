import { ApplicationFailure, TimeoutFailure } from '@temporalio/workflow';
import type { Budget, TaskInput, TaskUsage, Usage } from '../src/contract/task.ts';
import { TURN_LIMIT } from './policies.ts';

/** What one call of the agent used. The rules use nothing. */
interface Spent {
  usage?: Usage | undefined;
  /** Milliseconds of work. */
  workedMs?: number | undefined;
  /** The page that it worked on, where pages are written side by side. */
  page?: string;
}

const MINUTE = 60_000;

/** Counts what a task's calls of its agent use. A call that was repeated counts once. */
export function createSpending({ model, budget }: Pick<TaskInput, 'model' | 'budget'>) {
  const used = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, turns: 0 };
  const worked = new Map<string, number>();
  const tokens = () => used.inputTokens + used.outputTokens;
  // pages are written side by side: the one that takes longest counts
  const time = () => Math.max(0, ...worked.values());
  const refuse = (isUsedUp: (amount: number, limit: number) => boolean) => {
    if (!budget) return;
    if (isUsedUp(tokens(), budget.tokens)) throw usedUp('tokens', tokens(), budget.tokens);
    if (isUsedUp(time(), budget.minutes * MINUTE))
      throw usedUp('minutes', minutes(time()), budget.minutes);
  };

  const count = ({ inputTokens, cachedInputTokens, outputTokens }: Usage) => {
    used.inputTokens += inputTokens;
    used.cachedInputTokens += cachedInputTokens;
    used.outputTokens += outputTokens;
  };

  return {
    /** Throws LIMIT_EXCEEDED where nothing is left for another call. */
    beforeCall() {
      refuse((amount, limit) => amount >= limit);
    },
    /** `beforeCall` for prompt tasks, whose calls are turns. */
    beforeTurn() {
      if (used.turns >= (budget?.turns ?? TURN_LIMIT)) throw tooManyTurns(budget);
      this.beforeCall();
    },
    /** Adds a call. Throws LIMIT_EXCEEDED where the task now has used more than its budget. */
    add({ usage, workedMs = 0, page = '' }: Spent) {
      used.turns++;
      if (usage) count(usage);
      worked.set(page, (worked.get(page) ?? 0) + workedMs);
      refuse((amount, limit) => amount > limit);
    },
    /** Waits for a step. Adds its call where it failed after the model had answered. */
    async evenIfFailed<T>(step: Promise<T>): Promise<T> {
      try {
        return await step;
      } catch (error) {
        const usage = usageIn(error);
        if (usage) {
          used.turns++;
          count(usage);
        }
        throw error;
      }
    },
    /** For the task's output: undefined for the rules. */
    usage: (): TaskUsage | undefined => (model === undefined ? undefined : { ...used, model }),
  };
}

/** The usage in the details of a failed step, or of its last heartbeat. */
function usageIn(error: unknown): Usage | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const details: unknown =
      cause instanceof TimeoutFailure
        ? cause.lastHeartbeatDetails
        : cause instanceof ApplicationFailure
          ? cause.details?.[0]
          : undefined;
    const { usage } = (details ?? {}) as { usage?: Usage };
    if (usage) return usage;
  }
  return undefined;
}

const minutes = (ms: number) => Math.round((ms / MINUTE) * 10) / 10;

const words = { tokens: 'tokens', minutes: 'minutes of work' };

const usedUp = (name: keyof typeof words, count: number, limit: number) =>
  limitExceeded(`The task used ${count} ${words[name]}; its budget has ${limit}${advice(name)}`);

function tooManyTurns(budget?: Budget) {
  const says = `The agent did not finish within ${budget?.turns ?? TURN_LIMIT} turns`;
  return limitExceeded(budget ? says + advice('turns') : says);
}

const advice = (name: keyof Budget) => `: a request can raise it by budget.${name}`;

const limitExceeded = (message: string) =>
  ApplicationFailure.nonRetryable(message, 'LIMIT_EXCEEDED');

/** Whether a failure is the end of a budget. */
export const isUsedUp = (error: unknown) =>
  error instanceof ApplicationFailure && error.type === 'LIMIT_EXCEEDED';
