import { isUnseen, type Slot } from '../../sites/formats/page.ts';
import { isPriceAt } from '../../sites/pages/priceData.ts';
import { currencyCodes } from '../../text/currencies.ts';
import { amountSpans, currencyOf, plainAmount } from '../text/amounts.ts';
import { plainText } from '../text/marks.ts';

/** A price of structured data in another currency than the page shows it in. */
export interface StaleCurrency {
  price: string;
  /** In ISO 4217. */
  currency: string;
}

/**
 * The prices of structured data that a page shows in other currencies only, where the price or the
 * text that shows it was written.
 * @param written ids of the written texts
 * @param now the page's slots
 * @param currencies the codes of prices in structured data, by their ids
 */
export function staleCurrencies(
  written: string[],
  now: Slot[],
  currencies: Record<string, string>,
): StaleCurrency[] {
  const ids = new Set(written);
  const shown = new Map<number, { codes: string[]; isWritten: boolean }>();
  for (const slot of now.filter(({ role, text }) => !isUnseen(role) && /\d/.test(text))) {
    const plain = plainText(slot.text);
    for (const { from, to } of amountSpans(plain)) {
      const amount = plain.slice(from, to);
      const key = Number(plainAmount(amount));
      const { codes = [], isWritten = false } = shown.get(key) ?? {};
      shown.set(key, {
        codes: [...new Set([...codes, ...currencyCodes(currencyOf(amount))])],
        isWritten: isWritten || ids.has(slot.id),
      });
    }
  }
  return now.flatMap(({ id, text, jsonPath }): StaleCurrency[] => {
    const currency = isPriceAt(jsonPath) ? currencies[id] : undefined;
    const seen = shown.get(Number(plainAmount(text)));
    if (currency === undefined || !seen || seen.codes.length === 0) return [];
    const isStale = !seen.codes.includes(currency) && (seen.isWritten || ids.has(id));
    return isStale ? [{ price: plainText(text), currency }] : [];
  });
}
