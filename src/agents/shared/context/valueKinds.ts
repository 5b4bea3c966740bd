import { digitsOf, isMailbox } from '../../../text/text.ts';
import { hasAllDigits, telephonesIn } from '../../../text/telephone.ts';
import { factKeys, findField, isKnownKey, pageTextKeys, type PageTextName } from './contextKeys.ts';
import { factLabels, type FactKind } from '../facts/factPatterns.ts';
import { readRating } from '../facts/ratings.ts';
import type { ContextData } from './contextData.ts';

/** The kind of text or fact that a value is for, according to its key. */
export interface ValueKind {
  kind: FactKind | PageTextName | 'text';
  /** The kind's name for people. */
  label: string;
}

const TEXT_LABELS: Partial<Record<PageTextName, string>> = {
  description: 'meta description',
  lead: 'lead paragraph',
  imageAlt: 'image text',
  body: 'text',
};

/**
 * Endings of keys for further telephone numbers or e-mail addresses: `office phone`, `fax`, `phone
 * 2`, `sales email`.
 */
const TELEPHONE_KEY =
  /(?:^|\s)(?:phone|telephone|tel|telefon|telefonnummer|mobile|mobil|handy|fax|faks|whatsapp|hotline|telefono|telefone)(?:\s(?:number|no|nr|nummer|numero))?(?:\s\d)?$/u;
const EMAIL_KEY =
  /(?:^|\s)(?:e ?mail|e ?post|mail|correo|courriel)(?:\s(?:address|adresse|adress))?(?:\s\d)?$/u;
const MAX_KEY_WORDS = 4;
const plainTextKind: ValueKind = { kind: 'text', label: 'text' };

/** The kind of text or fact for a folded key. */
export function findValueKind(key: string): ValueKind {
  const factKind = (Object.keys(factKeys) as FactKind[]).find((kind) =>
    factKeys[kind].includes(key),
  );
  if (factKind) return { kind: factKind, label: factLabels[factKind] };
  const textName = (Object.keys(pageTextKeys) as PageTextName[]).find((candidate) =>
    pageTextKeys[candidate].includes(key),
  );
  if (textName) return { kind: textName, label: TEXT_LABELS[textName] ?? textName };
  if (key.split(' ').length > MAX_KEY_WORDS) return plainTextKind;
  const contactKind = TELEPHONE_KEY.test(key) ? 'telephone' : EMAIL_KEY.test(key) ? 'email' : null;
  return contactKind ? { kind: contactKind, label: factLabels[contactKind] } : plainTextKind;
}

/** Returns a function that tells whether a folded word may be a column's name. */
export function createColumnNameTest(context: ContextData): (name: string) => boolean {
  const contextKeys = new Set(context.fields.map(({ key }) => key));
  return (name) => contextKeys.has(name) || isKnownKey(name) || findField(context, [name]) !== null;
}

/** Why a value does not fit its key. */
export interface ValueProblem {
  code: `not-${string}`;
  description: string;
  /** Whether the value is used in spite of this. */
  isUsed: boolean;
}

/** A date as a spreadsheet's serial number, which counts days. */
const SERIAL_DATE = /^\d{5}(?:\.\d+)?$/;
const ZERO_DAY =
  /^(?:1899-12-(?:30|31)|1900-01-00|(?:12\/30\/|12\/31\/)1899|0?[01][./]0?[01]?0?[./]1900)$/;
/** A long number in a spreadsheet's scientific notation, which lost digits. */
const SHORTENED_NUMBER = /^\d[.,]\d{1,9}E\+\d{1,2}$/i;
const CHAT_LINK = /^https?:\/\/(?:www\.)?wa\.me\/\+?(?=\d)/i;
/** Words before a telephone number. They are removed, because the page has its own words. */
const NUMBER_PREFIX =
  /^(?:(?:tel|sms):|(?:telephone|telefon|tlf|tel|phone|mobile|mobil|mob|fax|ring|call)\b[.:]{0,2}\s?)/i;
/** A telephone number that a spreadsheet stored as a decimal number, with `.0` at its end. */
const DECIMAL_NUMBER = /^\d{7,15}(?=[.,]0$)/;

/** A telephone number without the words and signs that people and programs put before it. */
function bareTelephoneNumber(value: string): string {
  const number = value.replace(CHAT_LINK, '+').replace(NUMBER_PREFIX, '').trim();
  return DECIMAL_NUMBER.exec(number)?.[0] ?? number;
}

/** The values of a cell, which may have several e-mail addresses or telephone numbers. */
export function splitCellValues({ kind }: ValueKind, text: string, country?: string): string[] {
  if (kind === 'email') return findMailboxes(text);
  if (kind !== 'telephone') return [text];
  const number = bareTelephoneNumber(text);
  const numbers = telephonesIn(number, country);
  return numbers.length > 1 ? numbers : [number];
}

/**
 * Why a value does not fit its key, such as an invalid telephone number or e-mail address. null if
 * it fits.
 * @param country ISO 3166-1 code of the country of telephone numbers without a country code
 */
export function findCellValueProblem(
  { kind }: ValueKind,
  value: string,
  country?: string,
): ValueProblem | null {
  switch (kind) {
    case 'telephone':
      return findNumberProblem(value, telephonesIn(bareTelephoneNumber(value), country));
    case 'email':
      return findMailboxes(value).length > 0
        ? null
        : unusableValue('not-an-email-address', 'is not an e-mail address');
    case 'rating':
      return isRatingOfFive(value)
        ? null
        : unusableValue('not-a-rating', 'is not a rating from 0 to 5');
    case 'date':
      if (SERIAL_DATE.test(value))
        return unusableValue('not-a-date', 'is a serial number of a spreadsheet, not a date');
      return ZERO_DAY.test(value)
        ? unusableValue('not-a-date', 'is day zero of a spreadsheet, not a date')
        : null;
    case 'price':
      return /[\p{N} ]/u.test(value) || WITHOUT_PRICE.test(value)
        ? null
        : { code: 'not-a-price', description: 'does not have a number', isUsed: true };
    case 'coordinates':
      return /\d/.test(value)
        ? null
        : unusableValue('not-coordinates', 'does not have coordinates');
    default:
      return null;
  }
}

function findNumberProblem(value: string, numbers: string[]): ValueProblem | null {
  const code = 'not-a-telephone-number';
  if (numbers.some(hasAllDigits)) return null;
  if (numbers.length > 0)
    return {
      code,
      description: 'does not have as many digits as telephone numbers of its country',
      isUsed: true,
    };
  if (SHORTENED_NUMBER.test(value))
    return unusableValue(code, 'is a number that a spreadsheet shortened');
  return /^[\d\s()./–-]{5,12}$/.test(value) && digitsOf(value).length < MIN_AREA_DIGITS
    ? unusableValue(code, 'has too few digits for a telephone number with an area code')
    : unusableValue(code, 'is not a telephone number');
}

const MIN_AREA_DIGITS = 8;

const unusableValue = (code: ValueProblem['code'], sentence: string): ValueProblem => ({
  code,
  description: sentence,
  isUsed: false,
});
const WITHOUT_PRICE =
  /^(?:free|gratis|kostenlos|kostenfrei|gratuit|sold ?out|ausverkauft|utsolgt|negotiable)[.!]?$/i;

function isRatingOfFive(value: string): boolean {
  const number = readRating(value);
  return number !== undefined && Number(number.replace(',', '.')) <= 5;
}

const mailboxSeparator = /[\s<>()[\]",;|/]+/;

/**
 * The e-mail addresses in a value, in the form for a `mailto:` link. The value may be `Ola
 * <ola@acme.example>` or `mailto:ola@acme.example`.
 */
const findMailboxes = (value: string): string[] => [
  ...new Set(
    value
      .split(mailboxSeparator)
      .map((word) => word.replace(/^(?:mailto|e-?mail|mail):/i, '').replace(/[.:!?]{1,9}$/, ''))
      .filter(isMailbox),
  ),
];
