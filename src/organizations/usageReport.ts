import type { UsageCounts, UsageMonth, UsageReport } from '../contract/answers.ts';
import { amountOf, costOf, CURRENCY, type Cost, type Prices } from '../contract/prices.ts';
import type { Builds } from '../storage/builds.ts';
import { MOST_MONTHS, type Counts, type ModelUsage, type UsedMonth } from './modelUsage.ts';
import type { TokenLimits } from './tokenLimits.ts';

interface Deps {
  prices: Prices;
  usage: Pick<ModelUsage, 'months' | 'month'>;
  builds: Pick<Builds, 'months'>;
  limits: Pick<TokenLimits, 'use'>;
}

/**
 * Reports what an organization uses of language models, and of builds at hosts of its own.
 * @param month `YYYY-MM`: only this month. Default: this month, and earlier ones in which
 *   anything was used
 */
export type ReportUsage = (organizationId: string, month?: string) => Promise<UsageReport>;

export function createUsageReport({ usage, builds, limits, prices }: Deps): ReportUsage {
  const priced = (cost: bigint | null): Cost | null =>
    cost === null ? null : { amount: amountOf(cost), currency: CURRENCY };

  function present({ month, models }: UsedMonth, built: number): UsageMonth {
    const costs = models.map((counts) => {
      const price = prices.get(counts.model);
      return price === undefined ? null : costOf(counts, price);
    });
    const sum = (of: (counts: Counts) => number) =>
      models.reduce((all, counts) => all + of(counts), 0);
    const total = costs.reduce(
      (all, cost) => (all === null || cost === null ? null : all + cost),
      prices.size === 0 ? null : 0n,
    );
    return {
      month,
      tasks: sum(({ tasks }) => tasks),
      calls: sum(({ calls }) => calls),
      estimatedCalls: sum(({ estimatedCalls }) => estimatedCalls),
      inputTokens: sum(({ inputTokens }) => inputTokens),
      cachedInputTokens: sum(({ cachedInputTokens }) => cachedInputTokens),
      outputTokens: sum(({ outputTokens }) => outputTokens),
      cost: priced(total),
      builds: built,
      models: models.map((counts, i): UsageCounts & { model: string } => ({
        ...counts,
        cost: priced(costs[i]!),
      })),
    };
  }

  return async (organizationId, only) => {
    const [used, built, limit = null] = await Promise.all([
      usage.months(organizationId, only),
      builds.months(organizationId, only),
      limits.use(organizationId),
    ]);
    const models = new Map(used.map((month) => [month.month, month.models]));
    const names = new Set([only ?? usage.month(), ...models.keys(), ...built.keys()]);
    const months = [...names]
      .toSorted()
      .reverse()
      .slice(0, MOST_MONTHS)
      .map((month) => present({ month, models: models.get(month) ?? [] }, built.get(month) ?? 0));
    return { limit, months };
  };
}
