import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { digitsOf } from './text.ts';

/*
 * Whether a text is a telephone number: "+351 210 000 000" and "1-800-FLOWERS" are, "2024-05-01",
 * "2019–2024" and "000-000-0000" are not. `telephoneSpans.ts` finds numbers in longer texts, and
 * `dialling.ts` converts them.
 */

/** Most characters of a number as it is written. */
export const LONGEST = 32;
/** Digits with the area code. A shorter number counts only if its country has such numbers. */
const LEAST_DIGITS = 8;
/** E.164. */
export const MOST_DIGITS = 15;

/**
 * A vanity number such as `1-800-FLOWERS`. Each letter stands for a digit of a telephone's keypad.
 */
const VANITY = /^(?:\+?1[\s.-]?)?\(?8\d\d\)?[\s.-]?(?=[\d-]*[A-Z])[A-Z\d]{1,9}(?:-[A-Z\d]{1,9})?$/;
const KEYS = '22233344455566677778889999';

/** A vanity number with its letters as digits. */
export const vanityAsDigits = (text: string) =>
  VANITY.test(text.trim())
    ? text.replace(/[A-Z]/g, (letter) => KEYS[letter.charCodeAt(0) - 65]!)
    : text;

const WRITTEN = /^(?:\+|\()?\s?[\d(][\d\s().\-–/]*\d\)?$/;
export const DATE = /^(?:\d{4}([-./])\d{1,2}\1\d{1,2}|\d{1,2}([-./])\d{1,2}\2\d{4})$/;
export const isYears = (text: string) =>
  text.split(/\D+/).every((yearText) => /^(?:19|20)\d{2}$/.test(yearText));
/** Placeholders for a number, such as `000-000-0000` and `123456789`. */
const isFiller = (digits: string) => /^(\d)\1+$|^0?1234567890?$/.test(digits);

/**
 * Whether a text is one telephone number and nothing else. Dates, ranges of years and repetitions
 * of one digit are not.
 * @param country ISO 3166-1 code of the number's country, if known
 */
export function isTelephone(text: string, country?: string): boolean {
  const digitsText = vanityAsDigits(text.trim());
  if (
    digitsText.length > LONGEST ||
    !WRITTEN.test(digitsText) ||
    DATE.test(digitsText) ||
    isYears(digitsText)
  )
    return false;
  const digits = digitsOf(digitsText);
  if (digits.length > MOST_DIGITS + 2 || isFiller(digits)) return false;
  return digits.length >= LEAST_DIGITS || isPossibleNumber(digitsText, country);
}

/**
 * Whether a number in international form has as many digits as its country requires; true for any
 * other form.
 */
export const hasAllDigits = (text: string) =>
  !/^\s*(?:\+|00)/.test(text) || isPossibleNumber(text.replace(/^\s*00/, '+').replace('(0)', ''));

/** Whether a number has as many digits as those of its country. */
export function isPossibleNumber(text: string, country?: string): boolean {
  const knownCountry = country !== undefined && isSupportedCountry(country) ? country : undefined;
  return parsePhoneNumberFromString(text, knownCountry)?.isPossible() ?? false;
}

const NUMBERS = /(?:\+\s?)?[\d(][\d\s().\-–/]{3,26}\d/g;

/** The telephone numbers in a text, each as it is written there. */
export const telephonesIn = (text: string, country?: string): string[] =>
  isTelephone(text, country)
    ? [text.trim()]
    : (text.match(NUMBERS) ?? [])
        .filter((candidate) => isTelephone(candidate, country))
        .map((candidate) => candidate.trim());
