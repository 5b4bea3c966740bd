import { withoutEnd } from '../../contract/text.ts';
import { spansOf, type Span } from './words.ts';

const AMOUNT =
  /(?<![\p{L}\p{N}.,])(?:(?:[A-Z]{1,2})?[$€£¥]\s?\d[\d.,]{0,20}|\d[\d.,]{0,20}\s?(?:[€£¥]|(?:EUR|USD|CHF|GBP)\b))/gu;

/** Sums of money in a text, without marks behind them. */
export function amountSpans(text: string): Span[] {
  return spansOf(text, AMOUNT).map(({ from, to }) => {
    const written = text.slice(from, to);
    return { from, to: from + withoutEnd(written, '.,').length };
  });
}

/** The number of a sum, with how it is written. */
function read(text: string) {
  const [digits = ''] = /\d[\d.,]*/.exec(text) ?? [];
  const [, decimals] = /[.,](\d{1,2})$/.exec(digits) ?? [];
  const whole = digits.slice(0, digits.length - (decimals === undefined ? 0 : decimals.length + 1));
  const separator = /[.,]/.exec(whole)?.[0] ?? '';
  return { digits, decimals, separator, value: Number(`${whole.replace(/[.,]/g, '')}.${decimals ?? '0'}`) };
}

/** A sum as structured data has it: `5200`, `49.90`. */
export function plainAmount(text: string): string {
  const { value, decimals } = read(text);
  return decimals === undefined ? String(value) : value.toFixed(decimals.length);
}

/** Digits in groups of three. */
function grouped(digits: string, separator: string): string {
  const groups: string[] = [];
  for (let end = digits.length; end > 0; end -= 3) groups.unshift(digits.slice(Math.max(0, end - 3), end));
  return groups.join(separator);
}

/** A sum times a factor, written as it was; cents where it would not be whole. */
export function scaled(text: string, factor: number): string {
  const { digits, decimals, separator, value } = read(text);
  const cents = Math.round(value * factor * 100);
  const hasCents = decimals !== undefined || cents % 100 !== 0;
  const whole = grouped(String(Math.trunc(cents / 100)), separator);
  const point = decimals === undefined ? (separator === '.' ? ',' : '.') : digits.at(-decimals.length - 1)!;
  return text.replace(digits, hasCents ? `${whole}${point}${String(cents % 100).padStart(2, '0')}` : whole);
}

const currencyOf = (text: string) => text.replace(/[\d.,\s]/g, '').toUpperCase();

/** Whether two writings are of one sum: one may lack the currency. */
export function isSameAmount(a: string, b: string): boolean {
  const [one, other] = [currencyOf(a), currencyOf(b)];
  return read(a).value === read(b).value && (one === other || one === '' || other === '');
}

/** A new sum in place of an old one: with its currency, where it has none of its own. */
export function inPlaceOf(old: string, now: string): string {
  const hasCurrency = /[^\d\s.,]/.test(now);
  return hasCurrency ? now : old.replace(read(old).digits, () => now);
}
