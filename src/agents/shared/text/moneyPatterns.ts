import { wordSet } from '../../../text/wordLists.ts';

/** Patterns of currencies, and of the numbers written with them. */

/** Common currency codes, except those that are English words (`ALL`, `TOP`, `TRY`). */
const CURRENCY_CODES = [
  ...wordSet(`
    CHF USD EUR GBP CAD AUD NZD BRL SEK NOK DKK ISK PLN CZK HUF RON BGN JPY CNY INR KRW SGD HKD
    TWD THB MYR IDR PHP VND ZAR MXN ARS CLP COP ILS AED SAR QAR KWD EGP NGN KES UAH RUB PKR`),
].join('|');
const CROWN_SIGN = '[Kk][Rr](?:\\.(?=\\s?\\d)|\\b)';
export const CURRENCY_SIGN = `(?:[A-Z]{0,3}\\p{Sc}|(?<![\\p{L}\\p{N}])(?:(?:${CURRENCY_CODES})\\b|${CROWN_SIGN}|Rs\\.?|Fr\\.|zł|Kč))`;
const GROUPED_DIGITS = '\\d{1,3}(?:[ \\u00A0\\u202F\\u2009]\\d{3})+(?!\\d)(?:[.,]\\d{1,2}(?!\\d))?';
/** Pattern of a number in a sum: `45 000`, `45.000,50`, `1'200`, `1,20,000`, `45k`, `45.000,-`. */
export const AMOUNT_NUMBER = `(?:${GROUPED_DIGITS}|\\d[\\d.,'’\\u00A0\\u202F]{0,15}(?<![.,'’\\u00A0\\u202F])(?:\\s?[kKmM]\\b)?)(?:[.,][-–—]{1,2}(?!\\d))?`;
/** Pattern of a currency behind a number. */
export const CURRENCY_UNIT = `(?:\\p{Sc}|(?:${CURRENCY_CODES}|TRY|SEK|dollars?|[Ee]uros?|pounds|kroner|kronor|zł|Kč|Ft|lei|лв|руб)(?![\\p{L}\\d])|[Kk]r(?![\\p{L}\\d])\\.?|Fr\\.)`;
