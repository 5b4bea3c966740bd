import { DAYS, daysFrom } from '../../../../text/days.ts';
import { NUMBER, SIGN, UNIT } from '../../../text/money.ts';
import { digitsOf } from '../../../../text/text.ts';
import { readAs, type Reader, type Reading } from './reader.ts';
import { textOf, type Token, wordAt, textAt } from './tokens.ts';

/** An amount of money: `$5,200`, `5.200 €`, `C$6,200`, `1,900 USD`. */
const AMOUNT = /^(?:[A-Z]{0,3}[$€£¥]|CHF)?\d[\d.,]*(?:[€£$¥])?$/;
const CURRENCIES = /^(?:[€£$¥]|USD|EUR|GBP|CHF|CAD|AUD|dollars?|euros?|pounds?)$/i;
const MOST_PARTS = 7;

export const readAmount: Reader = (tokens, at) => {
  const { kind, text = '' } = tokens[at] ?? {};
  if (kind === 'quote') return /\d/.test(text) ? readAs(at + 1, text) : [];
  const whole = wholeAmount(tokens, at);
  if (whole.length > 0) return whole;
  const front = CURRENCIES.test(text) ? 1 : 0;
  // in "(was $5)", the closing bracket is no part of the amount
  if (!AMOUNT.test(textAt(tokens, at + front).replace(/\)$/, ''))) return [];
  const behind = front === 0 && CURRENCIES.test(textAt(tokens, at + 1)) ? 1 : 0;
  const length = 1 + front + behind;
  return readAs(at + length, textOf(tokens, at, at + length).replace(/\)$/, ''));
};

const WHOLE = new RegExp(`^(?:${SIGN}\\s?${NUMBER}|${NUMBER}(?:\\s?${UNIT})?)$`, 'u');

/** The longest run of tokens that forms an amount: `NOK 45 000`, `45.000,- kr`. */
function wholeAmount(tokens: Token[], at: number): Reading[] {
  if (!/[\d$€£¥₹]|^\p{L}{1,3}\.?$/u.test(textAt(tokens, at))) return [];
  for (let length = Math.min(MOST_PARTS, tokens.length - at); length > 1; length--) {
    const value = textOf(tokens, at, at + length);
    if (/\d/.test(value) && WHOLE.test(value)) return readAs(at + length, value);
  }
  return [];
}

/** An amount with its currency. */
export const readSum: Reader = (tokens, at) =>
  readAmount(tokens, at).filter(({ value }) =>
    /\p{Sc}|[A-Z]{3}|\bkr\b|dollar|euro|pound|kron/iu.test(String(value)),
  );

export const readPercent: Reader = (tokens, at) => {
  const [, number, sign] = /^(\d{1,3}(?:[.,]\d{1,2})?)(%?)$/.exec(textAt(tokens, at)) ?? [];
  if (number === undefined) return [];
  const value = Number(number.replace(',', '.'));
  const [next, further] = [wordAt(tokens, at + 1), wordAt(tokens, at + 2)];
  if (sign === '%') return [{ end: at + 1, value }];
  if (next === 'per' && further === 'cent') return [{ end: at + 3, value }];
  return ['%', 'percent'].includes(next) ? [{ end: at + 2, value }] : [];
};

/** A telephone number, in quotes or as groups of digits. */
export const readPhone: Reader = (tokens, at) => {
  const { kind, text: first = '' } = tokens[at] ?? {};
  if (kind === 'quote') return isPhone(first) ? readAs(at + 1, first) : [];
  const own = /^tel:(.+)$/i.exec(first)?.[1];
  if (own !== undefined) return readAs(at + 1, own);
  let length = 0;
  while (length < MOST_PARTS && isPartOfPhone(tokens[at + length])) length++;
  const text = textOf(tokens, at, at + length);
  return isPhone(text) ? readAs(at + length, text) : [];
};

const isPartOfPhone = (token: Token | undefined) =>
  token !== undefined && token.kind !== 'quote' && /^[+(]*\d[\d()./-]*$|^[+–-]$/.test(token.text);
const isPhone = (text: string) => /^[+(\d][\d\s()./–-]*$/.test(text) && digitsOf(text).length >= 6;

export const readEmail: Reader = (tokens, at) => {
  const text = textAt(tokens, at).replace(/^mailto:/i, '');
  return /^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(text) ? readAs(at + 1, text) : [];
};

const MONTHS = /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?$/i;
const DAY = /^\d{1,2}(?:st|nd|rd|th)?\.?$/;
const YEAR = /^(?:19|20)\d{2}$/;

/** A date: `October 7, 2017`, `7 October 2017`, `2017-10-07`, `10/7/2017`. */
export const readDate: Reader = (tokens, at) => {
  const [first = '', second = '', ...more] = tokens.slice(at, at + 4).map(({ text }) => text);
  if (/^(?:\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{2,4})$/.test(first))
    return readAs(at + 1, first);
  const isDay =
    (MONTHS.test(first) && DAY.test(second)) || (DAY.test(first) && MONTHS.test(second));
  const comma = more[0] === ',' ? 1 : 0;
  if (!isDay || !YEAR.test(more[comma] ?? '')) return [];
  const length = 3 + comma;
  return readAs(at + length, textOf(tokens, at, at + length));
};

export const readYear: Reader = (tokens, at) =>
  YEAR.test(textAt(tokens, at)) ? readAs(at + 1, tokens[at]!.text) : [];

const weekdays = DAYS.map((day) => day.toLowerCase());
const dayOf = (token: Token | undefined) => {
  const word = (token?.word ?? '').replace(/s$/, '');
  return word.length < 3
    ? -1
    : weekdays.findIndex((day) => day === word || (word.length <= 4 && day.startsWith(word)));
};

/**
 * Days of the week, 0 for Monday: `Friday`, `Fridays`, `Saturday and Sunday`, `Monday to Thursday`,
 * `weekends`.
 */
export const readDays: Reader = (tokens, at) => {
  const word = wordAt(tokens, at);
  if (/^weekends?$/.test(word)) return readAs(at + 1, [5, 6]);
  if (/^weekdays?$/.test(word)) return readAs(at + 1, [0, 1, 2, 3, 4]);
  const [from, to] = [dayOf(tokens[at]), dayOf(tokens[at + 2])];
  if (from === -1) return [];
  const joint = wordAt(tokens, at + 1);
  const single = readAs(at + 1, [from]);
  if (to === -1) return single;
  if (['and', '&', ','].includes(joint)) return [...readAs(at + 3, [from, to]), ...single];
  const isRange = ['to', '-', '–', 'through', 'until'].includes(joint) && to > from;
  return isRange ? [...readAs(at + 3, daysFrom(from, to)), ...single] : single;
};
