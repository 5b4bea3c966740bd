import { digitsOf, isMailbox } from '../../text/text.ts';
import { isWhole, telephonesIn } from '../../text/telephone.ts';
import { factKeys, fieldNamed, isKnownKey, names, type Name } from './contextKeys.ts';
import { factLabels, type FactKind } from '../facts/factPatterns.ts';
import { ratingIn } from '../facts/ratings.ts';
import type { ContextData } from './contextData.ts';

/** The kind of text or fact that a value is for, according to its key. */
export interface Fill {
  kind: FactKind | Name | 'text';
  /** The kind's name for people. */
  label: string;
}

const NAMES: Partial<Record<Name, string>> = {
  description: 'meta description',
  lead: 'lead paragraph',
  imageAlt: 'image text',
  body: 'text',
};

/**
 * Endings of keys for further telephone numbers or e-mail addresses: `office phone`, `fax`, `phone
 * 2`, `sales email`.
 */
const TELEPHONE =
  /(?:^|\s)(?:phone|telephone|tel|telefon|telefonnummer|mobile|mobil|handy|fax|faks|whatsapp|hotline|telefono|telefone)(?:\s(?:number|no|nr|nummer|numero))?(?:\s\d)?$/u;
const EMAIL =
  /(?:^|\s)(?:e ?mail|e ?post|mail|correo|courriel)(?:\s(?:address|adresse|adress))?(?:\s\d)?$/u;
const MOST_WORDS = 4;
const text: Fill = { kind: 'text', label: 'text' };

/** The kind of text or fact for a folded key. */
export function fillOf(key: string): Fill {
  const fact = (Object.keys(factKeys) as FactKind[]).find((kind) => factKeys[kind].includes(key));
  if (fact) return { kind: fact, label: factLabels[fact] };
  const name = (Object.keys(names) as Name[]).find((own) => names[own].includes(key));
  if (name) return { kind: name, label: NAMES[name] ?? name };
  if (key.split(' ').length > MOST_WORDS) return text;
  const contact = TELEPHONE.test(key) ? 'telephone' : EMAIL.test(key) ? 'email' : null;
  return contact ? { kind: contact, label: factLabels[contact] } : text;
}

/** Returns a function that tells whether a folded word may be a column's name. */
export function keysOf(context: ContextData): (name: string) => boolean {
  const own = new Set(context.fields.map(({ key }) => key));
  return (name) => own.has(name) || isKnownKey(name) || fieldNamed(context, [name]) !== null;
}

/** Why a value does not fit its key. */
export interface Unfit {
  code: `not-${string}`;
  says: string;
  /** Whether the value is used in spite of this. */
  isUsed: boolean;
}

/** A date as a spreadsheet's serial number, which counts days. */
const SERIAL = /^\d{5}(?:\.\d+)?$/;
const ZERO_DAY =
  /^(?:1899-12-(?:30|31)|1900-01-00|(?:12\/30\/|12\/31\/)1899|0?[01][./]0?[01]?0?[./]1900)$/;
/** A long number in a spreadsheet's scientific notation, which lost digits. */
const SHORTENED = /^\d[.,]\d{1,9}E\+\d{1,2}$/i;
const CHAT = /^https?:\/\/(?:www\.)?wa\.me\/\+?(?=\d)/i;
/** Words before a telephone number. The page has its own. */
const LEAD =
  /^(?:(?:tel|sms):|(?:telephone|telefon|tlf|tel|phone|mobile|mobil|mob|fax|ring|call)\b[.:]{0,2}\s?)/i;
/** A telephone number that a spreadsheet stored as a decimal number, with `.0` at its end. */
const DECIMAL = /^\d{7,15}(?=[.,]0$)/;

/** A telephone number without the words and signs that people and programs put before it. */
function bareNumber(value: string): string {
  const number = value.replace(CHAT, '+').replace(LEAD, '').trim();
  return DECIMAL.exec(number)?.[0] ?? number;
}

/** The values of a cell, which may have several e-mail addresses or telephone numbers. */
export function valuesFor({ kind }: Fill, text: string, country?: string): string[] {
  if (kind === 'email') return mailboxesIn(text);
  if (kind !== 'telephone') return [text];
  const number = bareNumber(text);
  const numbers = telephonesIn(number, country);
  return numbers.length > 1 ? numbers : [number];
}

/**
 * Why a value does not fit its key, such as an invalid telephone number or e-mail address. null if
 * it fits.
 * @param country ISO 3166-1 code of the country of telephone numbers without a country code
 */
export function unfitFor({ kind }: Fill, value: string, country?: string): Unfit | null {
  switch (kind) {
    case 'telephone':
      return unfitNumber(value, telephonesIn(bareNumber(value), country));
    case 'email':
      return mailboxesIn(value).length > 0
        ? null
        : unfit('not-an-email-address', 'is no e-mail address');
    case 'rating':
      return isRating(value) ? null : unfit('not-a-rating', 'is no rating of 0 to 5');
    case 'date':
      if (SERIAL.test(value))
        return unfit('not-a-date', 'is a day as spreadsheets count them, no date');
      return ZERO_DAY.test(value)
        ? unfit('not-a-date', 'is the day that spreadsheets begin to count with')
        : null;
    case 'price':
      return /[\p{N} ]/u.test(value) || WITHOUT_PRICE.test(value)
        ? null
        : { code: 'not-a-price', says: 'has no number', isUsed: true };
    case 'coordinates':
      return /\d/.test(value) ? null : unfit('not-coordinates', 'has no coordinates');
    default:
      return null;
  }
}

function unfitNumber(value: string, numbers: string[]): Unfit | null {
  const code = 'not-a-telephone-number';
  if (numbers.some(isWhole)) return null;
  if (numbers.length > 0)
    return { code, says: 'has not as many digits as numbers of its country', isUsed: true };
  if (SHORTENED.test(value)) return unfit(code, 'is a number whose digits a spreadsheet cut off');
  return /^[\d\s()./–-]{5,12}$/.test(value) && digitsOf(value).length < MOST_SHORT
    ? unfit(code, 'has too few digits for a telephone number with its area')
    : unfit(code, 'is no telephone number');
}

const MOST_SHORT = 8;

const unfit = (code: Unfit['code'], says: string): Unfit => ({ code, says, isUsed: false });
const WITHOUT_PRICE =
  /^(?:free|gratis|kostenlos|kostenfrei|gratuit|sold ?out|ausverkauft|utsolgt|negotiable)[.!]?$/i;

function isRating(value: string): boolean {
  const number = ratingIn(value);
  return number !== undefined && Number(number.replace(',', '.')) <= 5;
}

const between = /[\s<>()[\]",;|/]+/;

/**
 * The e-mail addresses in a value, in the form for a `mailto:` link. The value may be `Ola
 * <ola@acme.example>` or `mailto:ola@acme.example`.
 */
const mailboxesIn = (value: string): string[] => [
  ...new Set(
    value
      .split(between)
      .map((word) => word.replace(/^(?:mailto|e-?mail|mail):/i, '').replace(/[.:!?]{1,9}$/, ''))
      .filter(isMailbox),
  ),
];
