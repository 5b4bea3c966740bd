import type { BatchChecked } from '../../contract/answers.ts';

type Estimate = NonNullable<BatchChecked['estimate']>;

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
  Number(amount) < LEAST
    ? `under ${LEAST} ${currency}`
    : `about ${rough.format(Number(amount))} ${currency}`;
