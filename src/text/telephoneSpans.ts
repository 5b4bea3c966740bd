import { parsePhoneNumberFromString, isSupportedCountry } from 'libphonenumber-js/min';
import { trunkOf } from './dialling.ts';
import { DATE, isPossibleNumber, isTelephone, isYears, LONGEST, MOST_DIGITS } from './telephone.ts';
import { digitsOf } from './text.ts';

/** What tells telephone numbers of a page from other numbers in the same form. */
export interface NumberHints {
  /** ISO 3166-1 codes of the countries whose numbers the text may have without a country code. */
  countries: readonly string[];
  /** The digits of numbers that links dial. */
  dialled?: readonly string[];
  /** Whether the text before this one is a label such as `Phone`, so that a number may follow. */
  isLabelled?: boolean;
}

/** Countries to try if nothing is known about a text's country. */
const ANYWHERE = 'US GB DE FR ES IT PT NL BE AT CH IE AU PL SE NO DK BR MX IN'.split(' ');

interface NumberSpan {
  from: number;
  to: number;
}

/** Groups of digits with at most one separator between them, and the signs of an area code. */
const GROUPS =
  /(?<![\p{L}\p{N}_#@]|\p{N}[.,/:-]|\p{L}-)(?:\+ ?)?\(?\d+(?:(?:\)[ .\-/]?|[ \u00A0\u202F.\-\u2011–]\(?| ?\/ ?| [-–] )\d+)*(?![\p{L}\p{N}_]|[.,/:-]\p{N}|-\p{L})/gu;
const BETWEEN_NUMBERS = / ?\/ ?| [-–] /g;
/** Most numbers of a text that are checked, since each check searches the plans of countries. */
const MOST_NUMBERS = 100;
const LEAST_LABELLED = 5;
const LEAST_NATIONAL = 7;

const label = (words: string, behind: string) =>
  new RegExp(`(?:^|[^\\p{L}])(?:${words})(?:[\\s.-]{0,2}(?:${behind})\\b)*[\\s.:#№–-]*\\(?$`, 'iu');
const TELEPHONE = label(
  'tel|t[eé]l[eé](?:phone|fon[eo]?|fonnummer)|tél|phone|call|dial|ring|mob|mobile?|cell|handy|fax|hotline|whatsapp|sms|tlf|ruf|☎|✆|📞|📱',
  'us|now|today|number|no|nr|nummer|at|on|under|unter|free',
);
const OTHER = label(
  'is[bs]n|iban|bic|ean|upc|gtin|sku|mpn|parts?|art|article|artikel|item|model|modell|serial|s/?n|version|v|release|build|ip|vat|ust|steuer|tax|nif|nipc|siret|siren|cvr|ein|order|invoice|rechnung|bestell|ref|reference|id|ticket|case|doi|zip|plz|account|konto|lot|batch|patent|section|chapter|hrb|licen[cs]e|n[or]|number|nummer',
  'id|no|nr|number|nummer|code|1[03]',
);
const IBAN = /(?:^|[^\p{L}\p{N}])[A-Z]{2}\d{2}(?: ?[A-Z\d]{4})* ?$/u;
/** `call 10 000 customers` */
const AMOUNT = /^\d{1,3}(?:[ .\u00A0\u202F]\d{3})+$/;
/** IP addresses and versions, and large numbers: `10 000 000`. */
const OTHER_FORM =
  /^\d{1,3}(?:\.\d{1,3}){3}$|^\d+(?:\.\d+)*\.\d(?:\.|$)|^\d{1,2}([ .\u00A0\u202F])\d{3}(?:\1\d{3})+$/;

/**
 * Finds the telephone numbers in a text: `Call 0221 1234567 today` → `{ from: 5, to: 17 }`. A
 * number counts if a link dials it, if a label such as `Tel.` precedes it, if it has a country
 * code, or if it is a valid number of one of the countries, in this order.
 * @param known numbers of which it is known whether they are telephone numbers
 * @param hints what the page knows about the text
 */
export const telephoneSpans = (
  text: string,
  known: Readonly<Record<string, boolean>> = {},
  hints: NumberHints = { countries: ANYWHERE },
): NumberSpan[] =>
  numbersIn(text).flatMap((span) => {
    const isOne = (own: NumberSpan) =>
      known[text.slice(own.from, own.to)] ?? isNumberFor(text, own, hints);
    return isOne(span) ? [span] : partsOf(text, span).filter(isOne);
  });

/**
 * The numbers in a text that the page's hints judge differently from the text alone, and whether
 * they are telephone numbers. undefined if there are none. This is `known` for `telephoneSpans`.
 */
export function judgeNumbers(
  text: string,
  hints: NumberHints,
): Record<string, boolean> | undefined {
  const judged = numbersIn(text)
    .flatMap((span) => [span, ...partsOf(text, span)])
    .map((span) => [span, isNumberFor(text, span, hints)] as const)
    .filter(([span, isOne]) => isOne !== isNumberFor(text, span, { countries: ANYWHERE }))
    .map(([{ from, to }, isOne]) => [text.slice(from, to), isOne] as const);
  return judged.length > 0 ? Object.fromEntries(judged) : undefined;
}

/** Whether a text ends with a label of a telephone number, such as `Phone:`. */
export const isTelephoneLabel = (text: string): boolean => TELEPHONE.test(text.slice(-LONGEST));

const numbersIn = (text: string): NumberSpan[] =>
  text
    .matchAll(GROUPS)
    .filter(([number]) => digitsOf(number).length >= LEAST_LABELLED)
    .take(MOST_NUMBERS)
    .map(({ 0: number, index }) => {
      // the bracket around a number, not that around its area code
      const extra = number.startsWith('(') && !number.includes(')') ? 1 : 0;
      return { from: index + extra, to: index + number.length };
    })
    .toArray();

/** The numbers of a list: `0221 1234567 / 0221 7654321`. */
function partsOf(text: string, { from, to }: NumberSpan): NumberSpan[] {
  const cuts = text.slice(from, to).matchAll(BETWEEN_NUMBERS).take(MOST_NUMBERS).toArray();
  if (cuts.length === 0) return [];
  const starts = [from, ...cuts.map(({ 0: cut, index }) => from + index + cut.length)];
  const ends = [...cuts.map(({ index }) => from + index), to];
  return starts.map((start, i) => ({ from: start, to: ends[i]! }));
}

function isNumberFor(
  text: string,
  { from, to }: NumberSpan,
  { countries, dialled = [], isLabelled = false }: NumberHints,
): boolean {
  const number = text.slice(from, to);
  const digits = digitsOf(number).replace(/^0+/, '');
  const before = text.slice(Math.max(0, from - LONGEST), from);
  if (digits.length >= LEAST_LABELLED && dialled.some((own) => own.endsWith(digits))) return true;
  if (TELEPHONE.test(before) || (isLabelled && before.trim() === ''))
    return (
      digits.length >= (AMOUNT.test(number) ? LEAST_NATIONAL : LEAST_LABELLED) &&
      digits.length <= MOST_DIGITS &&
      !isDated(number)
    );
  if (number.startsWith('+'))
    return digits.length >= LEAST_NATIONAL && digits.length <= MOST_DIGITS + 1;
  if (number.startsWith('00'))
    return isPossibleNumber(number.replace(/^00/, '+').replace('(0)', ''));
  if (digits.length < LEAST_NATIONAL || OTHER.test(before) || IBAN.test(before)) return false;
  if (OTHER_FORM.test(number) || !isTelephone(number) || !/\D\d{2,}$/.test(number)) return false;
  return countries.some((country) => isNational(number, country));
}

const isDated = (text: string) => DATE.test(text) || isYears(text);

/** Whether a number is one of a country, in the form that people dial there. */
function isNational(text: string, country: string): boolean {
  const trunk = trunkOf(country) ?? '';
  if (!isSupportedCountry(country) || (trunk === '0' && !/^\(?0/.test(text))) return false;
  const number = parsePhoneNumberFromString(text, country);
  if (!number?.isValid()) return false;
  const digits = digitsOf(text);
  return (
    digits === digitsOf(number.formatNational()) ||
    (number.countryCallingCode === '1' && digits === `1${number.nationalNumber}`)
  );
}
