import type { Cost } from './responses/tasks.ts';

/**
 * The prices of language models, and what their tokens cost:
 * `anthropic/claude-sonnet-4-5=3/0.30/15` → 1,000,000 output tokens cost `15.00` USD.
 */

export type { Cost } from './responses/tasks.ts';

/** The currency of all prices: an ISO 4217 code. */
export const CURRENCY = 'USD';

/** What a language model costs, in millionths of the currency for a million tokens. */
export interface ModelPrice {
  input: bigint;
  cachedInput: bigint;
  output: bigint;
}

/** Prices by the models' names, `<provider>/<model>`. */
export type ModelPrices = ReadonlyMap<string, ModelPrice>;

const MILLION = 1_000_000n;
const pricePattern = /^([^/\s=]+\/[^\s=]+)=([^/\s=]+)\/([^/\s=]+)\/([^/\s=]+)$/;
const decimalPattern = /^(\d{1,9})(?:\.(\d{1,6}))?$/;

/**
 * Parses prices of language models.
 * @param text `<provider>/<model>=<input>/<cached input>/<output>` for a million tokens each, with
 *   commas between
 * @throws Error that names the entry that can't be read
 */
export function parsePrices(text: string): ModelPrices {
  const prices = new Map<string, ModelPrice>();
  for (const priceEntry of text.split(',').flatMap((entryText) => entryText.trim() || [])) {
    const [, model, input, cachedInput, output] = pricePattern.exec(priceEntry) ?? [];
    if (model === undefined) throw new Error(`${priceEntry} is not a price`);
    if (prices.has(model)) throw new Error(`${model} has more than one price`);
    prices.set(model, {
      input: parseMillionths(input!),
      cachedInput: parseMillionths(cachedInput!),
      output: parseMillionths(output!),
    });
  }
  return prices;
}

function parseMillionths(text: string): bigint {
  const [, wholePart, decimalPart = ''] = decimalPattern.exec(text) ?? [];
  if (wholePart === undefined)
    throw new Error(`${text} is not an amount with at most six decimals`);
  return BigInt(wholePart) * MILLION + BigInt(decimalPart.padEnd(6, '0'));
}

/** Tokens that a price is for. Input tokens include the cached ones. */
interface PricedTokens {
  inputTokens: number;
  cachedInputTokens: number;
  outputTokens: number;
}

/** What tokens cost, in millionths of the currency. Half of one is rounded up. */
export function costOfTokens(
  { inputTokens, cachedInputTokens, outputTokens }: PricedTokens,
  { input, cachedInput, output }: ModelPrice,
): bigint {
  const cost =
    BigInt(inputTokens - cachedInputTokens) * input +
    BigInt(cachedInputTokens) * cachedInput +
    BigInt(outputTokens) * output;
  return (cost + MILLION / 2n) / MILLION;
}

/** Returns the cost of a model's tokens at the current prices. null if the model has no price. */
export type CostCalculator = (usage: PricedTokens & { model: string }) => Cost | null;

export const createCostCalculator =
  ({ prices }: { prices: ModelPrices }): CostCalculator =>
  (usage) => {
    const price = prices.get(usage.model);
    return price ? { amount: formatAmount(costOfTokens(usage, price)), currency: CURRENCY } : null;
  };

/** Writes millionths of a currency as a decimal number. */
export function formatAmount(cost: bigint): string {
  let decimals = String(cost % MILLION).padStart(6, '0');
  while (decimals.length > 2 && decimals.endsWith('0')) decimals = decimals.slice(0, -1);
  return `${cost / MILLION}.${decimals}`;
}
