import type { BatchCheckResponse } from '../../../contract/responses.ts';

type CostEstimate = NonNullable<BatchCheckResponse['estimate']>;

const roughNumber = new Intl.NumberFormat('en', { maximumSignificantDigits: 2 });

/** Says which agent would write a batch's pages, and what that would cost. */
export function costWords(agent: string, estimate: CostEstimate | undefined): string {
  if (!estimate) return 'The embedded rules create the pages, without language model tokens.';
  const { inputTokens, outputTokens, cost } = estimate;
  const tokenWords = `about ${roughNumber.format(inputTokens)} tokens read and ${roughNumber.format(outputTokens)} written`;
  return `${agent} creates the pages: ${tokenWords}, ${cost ? moneyWords(cost) : 'at a price that is not known here'}.`;
}

const LEAST_AMOUNT = 0.01;
const moneyWords = ({ amount, currency }: NonNullable<CostEstimate['cost']>) =>
  Number(amount) < LEAST_AMOUNT
    ? `under ${LEAST_AMOUNT} ${currency}`
    : `about ${roughNumber.format(Number(amount))} ${currency}`;
