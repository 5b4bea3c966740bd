import type { UsageCounts, UsageMonth, UsageReport } from '../contract/responses.ts';
import {
  formatAmount,
  costOfTokens,
  CURRENCY,
  type Cost,
  type ModelPrices,
} from '../contract/prices.ts';
import type { Builds } from '../storage/builds.ts';
import {
  MOST_MONTHS,
  type ModelUsageCounts,
  type ModelUsage,
  type MonthlyModelUsage,
} from './modelUsage.ts';
import type { TokenLimits } from './tokenLimits.ts';

interface UsageReportDeps {
  prices: ModelPrices;
  usage: Pick<ModelUsage, 'months' | 'month'>;
  builds: Pick<Builds, 'months'>;
  limits: Pick<TokenLimits, 'use'>;
}

/**
 * Reports what an organization used by month: calls of language models, their tokens and cost, and
 * builds at external hosts.
 * @param month `YYYY-MM`: only this month. Default: this month, and earlier ones in which
 *   anything was used
 */
export type UsageReporter = (organizationId: string, month?: string) => Promise<UsageReport>;

export function createUsageReport({
  usage,
  builds,
  limits,
  prices,
}: UsageReportDeps): UsageReporter {
  const presentCost = (cost: bigint | null): Cost | null =>
    cost === null ? null : { amount: formatAmount(cost), currency: CURRENCY };

  function present({ month, models }: MonthlyModelUsage, buildCount: number): UsageMonth {
    const modelCosts = models.map((counts) => {
      const modelPrice = prices.get(counts.model);
      return modelPrice === undefined ? null : costOfTokens(counts, modelPrice);
    });
    const sumCounts = (readCount: (counts: ModelUsageCounts) => number) =>
      models.reduce((totalSoFar, counts) => totalSoFar + readCount(counts), 0);
    const totalCost = modelCosts.reduce(
      (totalSoFar, cost) => (totalSoFar === null || cost === null ? null : totalSoFar + cost),
      prices.size === 0 ? null : 0n,
    );
    return {
      month,
      tasks: sumCounts(({ tasks }) => tasks),
      calls: sumCounts(({ calls }) => calls),
      estimatedCalls: sumCounts(({ estimatedCalls }) => estimatedCalls),
      inputTokens: sumCounts(({ inputTokens }) => inputTokens),
      cachedInputTokens: sumCounts(({ cachedInputTokens }) => cachedInputTokens),
      outputTokens: sumCounts(({ outputTokens }) => outputTokens),
      cost: presentCost(totalCost),
      builds: buildCount,
      models: models.map((counts, index): UsageCounts & { model: string } => ({
        ...counts,
        cost: presentCost(modelCosts[index]!),
      })),
    };
  }

  return async (organizationId, onlyMonth) => {
    const [usedMonths, buildCount, limit = null] = await Promise.all([
      usage.months(organizationId, onlyMonth),
      builds.months(organizationId, onlyMonth),
      limits.use(organizationId),
    ]);
    const models = new Map(usedMonths.map((month) => [month.month, month.models]));
    const monthNames = new Set([
      onlyMonth ?? usage.month(),
      ...models.keys(),
      ...buildCount.keys(),
    ]);
    const months = [...monthNames]
      .toSorted()
      .reverse()
      .slice(0, MOST_MONTHS)
      .map((month) =>
        present({ month, models: models.get(month) ?? [] }, buildCount.get(month) ?? 0),
      );
    return { limit, months };
  };
}
