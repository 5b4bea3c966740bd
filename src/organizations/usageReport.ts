import type { UsageCounts, UsageMonth, UsageReport } from '../contract/answers.ts';
import { amountOf, costOf, type Cost, type Prices } from '../contract/prices.ts';
import { MOST_MONTHS, type Counts, type ModelUsage, type UsedMonth } from './modelUsage.ts';
import type { TokenLimits } from './tokenLimits.ts';

interface Deps {
  prices: Prices;
  /** ISO 4217 code of the prices' currency. */
  currency: string;
  usage: Pick<ModelUsage, 'months' | 'month'>;
  limits: Pick<TokenLimits, 'use'>;
}

/**
 * Reports what an organization uses of language models.
 * @param month `YYYY-MM`: only this month. Default: this month, and earlier ones with calls
 */
export type ReportUsage = (organizationId: string, month?: string) => Promise<UsageReport>;

export function createUsageReport({ usage, limits, prices, currency }: Deps): ReportUsage {
  const priced = (cost: bigint | null): Cost | null =>
    cost === null ? null : { amount: amountOf(cost), currency };

  function present({ month, models }: UsedMonth): UsageMonth {
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
      models: models.map((counts, i): UsageCounts & { model: string } => ({
        ...counts,
        cost: priced(costs[i]!),
      })),
    };
  }

  return async (organizationId, only) => {
    const [months, limit = null] = await Promise.all([
      usage.months(organizationId, only),
      limits.use(organizationId),
    ]);
    const asked = only ?? usage.month();
    const isThere = months.some(({ month }) => month === asked);
    const all = isThere ? months : [{ month: asked, models: [] }, ...months];
    return { limit, months: all.slice(0, MOST_MONTHS).map(present) };
  };
}
