import type { UsageCounts, UsageReport, Used } from '../../contract/answers.ts';
import type { Cost } from '../../contract/prices.ts';
import { count } from '../../browser/counts.ts';

type Limit = NonNullable<UsageReport['limit']>;

const numbers = new Intl.NumberFormat('en');
const months = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });

export const numberOf = (value: number): string => numbers.format(value);

/** A month such as `2026-11`, in words. */
export const monthOf = (month: string): string => months.format(new Date(`${month}-01T00:00:00Z`));

/** How often a model was called, and for how many tasks. */
export const callsOf = ({ calls, tasks }: UsageCounts): string =>
  `${numberOf(calls)} ${calls === 1 ? 'call' : 'calls'} for ${count(tasks, 'task')}`;

type Tokens = Pick<UsageCounts, 'inputTokens' | 'cachedInputTokens' | 'outputTokens'>;

export function tokensOf({ inputTokens, cachedInputTokens, outputTokens }: Tokens): string {
  const cached = cachedInputTokens === 0 ? '' : ` (${numberOf(cachedInputTokens)} cached)`;
  return `${numberOf(inputTokens)} read${cached}, ${numberOf(outputTokens)} written`;
}

export const moneyOf = ({ amount, currency }: Cost): string => `${amount} ${currency}`;

/** What a task used: of its language model, and of the team's own host. */
export function usedBy(usage: Used): string {
  const { builds = 0 } = usage;
  const ofHost = builds > 0 ? [buildsOf(builds)] : [];
  if (usage.model === undefined) return ofHost.join();
  const ofModel = [
    `Language model: ${usage.model}`,
    `${numberOf(usage.turns)} ${usage.turns === 1 ? 'call' : 'calls'}`,
    `tokens: ${tokensOf(usage)}`,
    ...(usage.cost ? [moneyOf(usage.cost)] : []),
  ];
  return [...ofModel, ...ofHost].join(' · ');
}

export const buildsOf = (builds: number): string => `${count(builds, 'build')} by your host`;

/** What a person should know of the limit now; undefined if that is nothing. */
export function limitNotice({ month, usedTokens, tokensPerMonth, isNear }: Limit) {
  const most = numberOf(tokensPerMonth);
  if (usedTokens >= tokensPerMonth)
    return `All ${most} tokens of language models for ${monthOf(month)} are used. Tasks of a model are refused until the month ends (UTC), or the limit is raised.`;
  if (!isNear) return undefined;
  const share = Math.floor((usedTokens * 100) / tokensPerMonth);
  return `${share} % of the tokens of language models for ${monthOf(month)} are used: ${numberOf(usedTokens)} of ${most}.`;
}
