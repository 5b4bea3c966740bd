import { trimEndCharacters } from '../../../contract/text/summaries.ts';
import { currencyCodes } from '../../../text/currencies.ts';
import { AMOUNT_NUMBER, CURRENCY_SIGN, CURRENCY_UNIT } from './moneyPatterns.ts';
import { matchSpans, type TextSpan } from './textSpans.ts';

const AMOUNT_PATTERN = new RegExp(
  `(?<![\\p{L}\\p{N}.,])(?:${CURRENCY_SIGN}\\s?${AMOUNT_NUMBER}|${AMOUNT_NUMBER}\\s?${CURRENCY_UNIT})`,
  'gu',
);

/** Sums of money in a text, without punctuation after them. */
export function findAmountSpans(text: string): TextSpan[] {
  return matchSpans(text, AMOUNT_PATTERN).map(({ from, to }) => {
    const amountText = text.slice(from, to);
    return {
      from,
      to:
        from +
        (/[.,][-–—]+$/.test(amountText) ? amountText : trimEndCharacters(amountText, '.,')).length,
    };
  });
}

const DIGITS_PATTERN = /\d(?:[\d.,'’\u00A0\u202F\u2009]| (?=\d{3}(?!\d)))*/;
const SEPARATOR_PATTERN = /[.,'’ \u00A0\u202F\u2009]/;

/** Parses the number of a sum of money, and its notation. */
function parseAmount(text: string) {
  const digits = trimEndCharacters(DIGITS_PATTERN.exec(text)?.[0] ?? '', ".,'’ \u00A0\u202F\u2009");
  const [, decimals] = /[.,](\d{1,2})$/.exec(digits) ?? [];
  const wholeDigits = digits.slice(
    0,
    digits.length - (decimals === undefined ? 0 : decimals.length + 1),
  );
  const separator = SEPARATOR_PATTERN.exec(wholeDigits)?.[0] ?? '';
  const isIndian = /^\d{1,2}(?:,\d{2})+,\d{3}$/.test(wholeDigits);
  return {
    digits,
    decimals,
    separator,
    isIndian,
    value: Number(`${wholeDigits.replace(/\D/g, '')}.${decimals ?? '0'}`),
  };
}

/** A sum of money as a plain number for structured data: `5200`, `49.90`. */
export function formatPlainAmount(text: string): string {
  const { value, decimals } = parseAmount(text);
  return decimals === undefined ? String(value) : value.toFixed(decimals.length);
}

/**
 * A sum of money as a price in structured data: a plain number, followed by the sign of its
 * currency if that is known, such as `5200` or `49.90 €`.
 */
export function formatPricedAmount(text: string): string {
  const currency = readCurrency(text);
  return currencyCodes(currency).length > 0
    ? `${formatPlainAmount(text)} ${currency}`
    : formatPlainAmount(text);
}

/** Groups digits by three. With `isIndian`, the digits before the last three are grouped by two. */
function groupDigits(digits: string, separator: string, isIndian: boolean): string {
  const groups: string[] = [];
  for (let end = digits.length; end > 0;) {
    const groupSize = isIndian && groups.length > 0 ? 2 : 3;
    groups.unshift(digits.slice(Math.max(0, end - groupSize), end));
    end -= groupSize;
  }
  return groups.join(separator);
}

/** Multiplies a sum, and keeps its notation. Adds cents if the result is not a whole number. */
export function scaleAmount(text: string, factor: number): string {
  const { digits, decimals, separator, isIndian, value } = parseAmount(text);
  const cents = Math.round(value * factor * 100);
  const hasCents = decimals !== undefined || cents % 100 !== 0;
  const wholePart = groupDigits(String(Math.trunc(cents / 100)), separator, isIndian);
  const point =
    decimals === undefined ? (separator === '.' ? ',' : '.') : digits.at(-decimals.length - 1)!;
  return text.replace(
    digits,
    hasCents ? `${wholePart}${point}${String(cents % 100).padStart(2, '0')}` : wholePart,
  );
}

/** The sign or code of a sum's currency, in upper case; '' for a plain number. */
export const readCurrency = (text: string): string =>
  text.replace(/[\d.,'’\s–—-]/g, '').toUpperCase();

/** Whether two texts are the same sum. One of them may lack the currency. */
export const isSameAmount = (first: string, second: string): boolean =>
  parseAmount(first).value === parseAmount(second).value && !haveDifferentCurrencies(first, second);

/** Whether two sums are in different currencies. `$` and `CAD` may be the same one. */
export function haveDifferentCurrencies(first: string, second: string): boolean {
  const [firstCurrency, secondCurrency] = [readCurrency(first), readCurrency(second)];
  if (firstCurrency === secondCurrency || firstCurrency === '' || secondCurrency === '')
    return false;
  const firstCodes = currencyCodes(firstCurrency);
  return !currencyCodes(secondCurrency).some((code) => firstCodes.includes(code));
}

const RANGE_PATTERN = /\d[\d.,'’\s]*(?:[–—-]\s?\D{0,4}\d[\d.,'’\s]*)*(?<![\s.,])/;

/** Replaces a sum or a range of sums. If the new sum has no currency, it takes the old one's. */
export function replaceAmount(oldAmount: string, newAmount: string): string {
  const hasCurrency = /[^\d\s.,'’–—-]/.test(newAmount);
  return hasCurrency ? newAmount : oldAmount.replace(RANGE_PATTERN, () => newAmount.trim());
}
