import { withoutEnd } from '../../contract/text.ts';
import { currencyCodes } from '../../text/currencies.ts';
import { NUMBER, SIGN, UNIT } from './money.ts';
import { spansOf, type Span } from './spans.ts';

const AMOUNT = new RegExp(
  `(?<![\\p{L}\\p{N}.,])(?:${SIGN}\\s?${NUMBER}|${NUMBER}\\s?${UNIT})`,
  'gu',
);

/** Sums of money in a text, without punctuation after them. */
export function amountSpans(text: string): Span[] {
  return spansOf(text, AMOUNT).map(({ from, to }) => {
    const written = text.slice(from, to);
    return {
      from,
      to: from + (/[.,][-–—]+$/.test(written) ? written : withoutEnd(written, '.,')).length,
    };
  });
}

const DIGITS = /\d(?:[\d.,'’\u00A0\u202F\u2009]| (?=\d{3}(?!\d)))*/;
const SEPARATOR = /[.,'’ \u00A0\u202F\u2009]/;

/** Parses the number of a sum of money, and its notation. */
function read(text: string) {
  const digits = withoutEnd(DIGITS.exec(text)?.[0] ?? '', ".,'’ \u00A0\u202F\u2009");
  const [, decimals] = /[.,](\d{1,2})$/.exec(digits) ?? [];
  const whole = digits.slice(0, digits.length - (decimals === undefined ? 0 : decimals.length + 1));
  const separator = SEPARATOR.exec(whole)?.[0] ?? '';
  const isIndian = /^\d{1,2}(?:,\d{2})+,\d{3}$/.test(whole);
  return {
    digits,
    decimals,
    separator,
    isIndian,
    value: Number(`${whole.replace(/\D/g, '')}.${decimals ?? '0'}`),
  };
}

/** A sum of money as a plain number for structured data: `5200`, `49.90`. */
export function plainAmount(text: string): string {
  const { value, decimals } = read(text);
  return decimals === undefined ? String(value) : value.toFixed(decimals.length);
}

/**
 * A sum of money as structured data takes it for a price: a plain number, and behind it the sign
 * of its currency if that is known, `5200`, `49.90 €`.
 */
export function pricedAmount(text: string): string {
  const sign = currencyOf(text);
  return currencyCodes(sign).length > 0 ? `${plainAmount(text)} ${sign}` : plainAmount(text);
}

/** Groups digits by three. With `isIndian`, the digits before the last three are grouped by two. */
function grouped(digits: string, separator: string, isIndian: boolean): string {
  const groups: string[] = [];
  for (let end = digits.length; end > 0;) {
    const size = isIndian && groups.length > 0 ? 2 : 3;
    groups.unshift(digits.slice(Math.max(0, end - size), end));
    end -= size;
  }
  return groups.join(separator);
}

/** Multiplies a sum, and keeps its notation. Adds cents if the result is not a whole number. */
export function scaled(text: string, factor: number): string {
  const { digits, decimals, separator, isIndian, value } = read(text);
  const cents = Math.round(value * factor * 100);
  const hasCents = decimals !== undefined || cents % 100 !== 0;
  const whole = grouped(String(Math.trunc(cents / 100)), separator, isIndian);
  const point =
    decimals === undefined ? (separator === '.' ? ',' : '.') : digits.at(-decimals.length - 1)!;
  return text.replace(
    digits,
    hasCents ? `${whole}${point}${String(cents % 100).padStart(2, '0')}` : whole,
  );
}

/** The sign or code of a sum's currency, in upper case; '' for a plain number. */
export const currencyOf = (text: string): string =>
  text.replace(/[\d.,'’\s–—-]/g, '').toUpperCase();

/** Whether two texts are the same sum. One of them may lack the currency. */
export const isSameAmount = (a: string, b: string): boolean =>
  read(a).value === read(b).value && !differInCurrency(a, b);

/** Whether two sums are in different currencies. `$` may be that of `CAD`. */
export function differInCurrency(a: string, b: string): boolean {
  const [one, other] = [currencyOf(a), currencyOf(b)];
  if (one === other || one === '' || other === '') return false;
  const codes = currencyCodes(one);
  return !currencyCodes(other).some((code) => codes.includes(code));
}

const RANGE = /\d[\d.,'’\s]*(?:[–—-]\s?\D{0,4}\d[\d.,'’\s]*)*(?<![\s.,])/;

/** Replaces a sum or a range of sums. If the new sum has no currency, it takes the old one's. */
export function inPlaceOf(old: string, now: string): string {
  const hasCurrency = /[^\d\s.,'’–—-]/.test(now);
  return hasCurrency ? now : old.replace(RANGE, () => now.trim());
}
