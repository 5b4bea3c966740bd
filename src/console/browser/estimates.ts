import type { BatchChecked } from '../../contract/answers.ts';

/** What a language model would use, roughly. */
export interface Estimate {
  inputTokens: number;
  outputTokens: number;
  /** null: the model's price is not known. */
  cost: { amount: number; currency: string } | null;
}

/** Each row's share of what a check tells of all of them. */
export const shareOf = (
  { inputTokens, outputTokens, cost }: NonNullable<BatchChecked['estimate']>,
  rows: number,
): Estimate => ({
  inputTokens: inputTokens / rows,
  outputTokens: outputTokens / rows,
  cost: cost && { amount: Number(cost.amount) / rows, currency: cost.currency },
});

/** @returns undefined if there is none */
export function sumOf(estimates: (Estimate | undefined)[]): Estimate | undefined {
  const known = estimates.filter((each) => each !== undefined);
  const [first] = known;
  const add = (of: (estimate: Estimate) => number) =>
    known.reduce((total, estimate) => total + of(estimate), 0);
  return (
    first && {
      inputTokens: add((each) => each.inputTokens),
      outputTokens: add((each) => each.outputTokens),
      cost: first.cost && { ...first.cost, amount: add(({ cost }) => cost?.amount ?? 0) },
    }
  );
}

const rough = new Intl.NumberFormat('en', { maximumSignificantDigits: 2 });

/** Who would make the pages, and what that costs. */
export function costWords(agent: string, estimate: Estimate | undefined): string {
  if (!estimate) return 'The embedded agent makes the pages, without a language model’s tokens.';
  const { inputTokens, outputTokens, cost } = estimate;
  const tokens = `about ${rough.format(inputTokens)} tokens read and ${rough.format(outputTokens)} written`;
  return `${agent} makes the pages: ${tokens}, ${cost ? moneyWords(cost) : 'at a price that is not known here'}.`;
}

const LEAST = 0.01;
const moneyWords = ({ amount, currency }: NonNullable<Estimate['cost']>) =>
  amount < LEAST ? `under ${LEAST} ${currency}` : `about ${rough.format(amount)} ${currency}`;
