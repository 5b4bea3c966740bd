import type { UsageCounts, UsageReport, TaskUsageResponse } from '../../../contract/responses.ts';
import type { Cost } from '../../../contract/prices.ts';
import { countNoun } from '../../../browser/counts.ts';

type MonthlyTokenLimit = NonNullable<UsageReport['limit']>;

const numberFormat = new Intl.NumberFormat('en');
const monthFormat = new Intl.DateTimeFormat('en', {
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

export const formatNumber = (value: number): string => numberFormat.format(value);

/** A month such as `2026-11`, in words. */
export const monthName = (month: string): string =>
  monthFormat.format(new Date(`${month}-01T00:00:00Z`));

/** How often a model was called, and for how many tasks. */
export const callWords = ({ calls, tasks }: UsageCounts): string =>
  `${formatNumber(calls)} ${calls === 1 ? 'call' : 'calls'} for ${countNoun(tasks, 'task')}`;

type TokenCounts = Pick<UsageCounts, 'inputTokens' | 'cachedInputTokens' | 'outputTokens'>;

export function tokenWords({ inputTokens, cachedInputTokens, outputTokens }: TokenCounts): string {
  const cachedWords = cachedInputTokens === 0 ? '' : ` (${formatNumber(cachedInputTokens)} cached)`;
  return `${formatNumber(inputTokens)} read${cachedWords}, ${formatNumber(outputTokens)} written`;
}

export const moneyText = ({ amount, currency }: Cost): string => `${amount} ${currency}`;

/** Says what a task used: its language model, and builds at the external host. */
export function taskUsageWords(usage: TaskUsageResponse): string {
  const { builds = 0 } = usage;
  const hostWords = builds > 0 ? [buildWords(builds)] : [];
  if (usage.model === undefined) return hostWords.join();
  const modelWords = [
    `Language model: ${usage.model}`,
    `${formatNumber(usage.turns)} ${usage.turns === 1 ? 'call' : 'calls'}`,
    `tokens: ${tokenWords(usage)}`,
    ...(usage.cost ? [moneyText(usage.cost)] : []),
  ];
  return [...modelWords, ...hostWords].join(' · ');
}

export const buildWords = (builds: number): string => `${countNoun(builds, 'build')} by your host`;

/** A warning that most or all of the month's tokens are used; undefined if there is no need. */
export function limitNotice({ month, usedTokens, tokensPerMonth, isNear }: MonthlyTokenLimit) {
  const mostTokens = formatNumber(tokensPerMonth);
  if (usedTokens >= tokensPerMonth)
    return `All ${mostTokens} language model tokens for ${monthName(month)} are used. Tasks that use a model are refused until the month ends (UTC) or the limit is raised.`;
  if (!isNear) return undefined;
  const usedPercent = Math.floor((usedTokens * 100) / tokensPerMonth);
  return `${usedPercent} % of the language model tokens for ${monthName(month)} are used: ${formatNumber(usedTokens)} of ${mostTokens}.`;
}
