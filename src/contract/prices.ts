import type { Cost } from './answers/tasks.ts';

export type { Cost } from './answers/tasks.ts';

/** The currency of all prices: an ISO 4217 code. */
export const CURRENCY = 'USD';

/** What a language model costs, in millionths of the currency for a million tokens. */
export interface Price {
  input: bigint;
  cachedInput: bigint;
  output: bigint;
}

/** Prices by the models' names, `<provider>/<model>`. */
export type Prices = ReadonlyMap<string, Price>;

const MILLION = 1_000_000n;
const entry = /^([^/\s=]+\/[^\s=]+)=([^/\s=]+)\/([^/\s=]+)\/([^/\s=]+)$/;
const decimal = /^(\d{1,9})(?:\.(\d{1,6}))?$/;

/**
 * Parses prices of language models.
 * @param text `<provider>/<model>=<input>/<cached input>/<output>` for a million tokens each, with
 *   commas between
 * @throws Error that names the entry that can't be read
 */
export function readPrices(text: string): Prices {
  const prices = new Map<string, Price>();
  for (const item of text.split(',').flatMap((part) => part.trim() || [])) {
    const [, model, input, cachedInput, output] = entry.exec(item) ?? [];
    if (model === undefined) throw new Error(`${item} is no price`);
    if (prices.has(model)) throw new Error(`${model} has two prices`);
    prices.set(model, {
      input: millionths(input!),
      cachedInput: millionths(cachedInput!),
      output: millionths(output!),
    });
  }
  return prices;
}

function millionths(text: string): bigint {
  const [, whole, rest = ''] = decimal.exec(text) ?? [];
  if (whole === undefined) throw new Error(`${text} is no amount with up to six decimals`);
  return BigInt(whole) * MILLION + BigInt(rest.padEnd(6, '0'));
}

/** Tokens that a price is for. Input tokens include the cached ones. */
interface Tokens {
  inputTokens: number;
  cachedInputTokens: number;
  outputTokens: number;
}

/** What tokens cost, in millionths of the currency. Half of one is rounded up. */
export function costOf(
  { inputTokens, cachedInputTokens, outputTokens }: Tokens,
  { input, cachedInput, output }: Price,
): bigint {
  const cost =
    BigInt(inputTokens - cachedInputTokens) * input +
    BigInt(cachedInputTokens) * cachedInput +
    BigInt(outputTokens) * output;
  return (cost + MILLION / 2n) / MILLION;
}

/** Tells what a model's tokens cost, by the prices set now. null: the model has no price. */
export type CostOf = (usage: Tokens & { model: string }) => Cost | null;

export const pricedBy =
  ({ prices }: { prices: Prices }): CostOf =>
  (usage) => {
    const price = prices.get(usage.model);
    return price ? { amount: amountOf(costOf(usage, price)), currency: CURRENCY } : null;
  };

/** Writes millionths of a currency as a decimal number. */
export function amountOf(cost: bigint): string {
  let decimals = String(cost % MILLION).padStart(6, '0');
  while (decimals.length > 2 && decimals.endsWith('0')) decimals = decimals.slice(0, -1);
  return `${cost / MILLION}.${decimals}`;
}
