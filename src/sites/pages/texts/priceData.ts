import { currencyAfter } from '../../../text/currencies.ts';

const PRICES = new Set(['price', 'lowPrice', 'highPrice', 'minPrice', 'maxPrice']);

/** Whether structured data (schema.org) has a price at this path: `offers[0].price`. */
export const isPriceAt = (path = ''): boolean => PRICES.has(path.split('.').at(-1)!);

/**
 * Reads a new price with the sign of its currency behind it, `9600 €`: structured data has them in
 * two properties, `price` and `priceCurrency`.
 * @param code the currency that the price had, in ISO 4217
 * @returns undefined for a price without a currency
 */
export function priceAndCurrency(text: string, code: string) {
  const [, price, sign] = /^(\d+(?:\.\d+)?) (\D{1,8})$/.exec(text) ?? [];
  return price === undefined ? undefined : { price, currency: currencyAfter(sign!, code) };
}
