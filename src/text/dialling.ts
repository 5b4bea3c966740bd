import { digitsOf } from './text.ts';
import { isTelephone, vanityAsDigits } from './telephone.ts';

/**
 * How a country's numbers are dialled: its country code, and the prefix (`trunk`) that replaces the
 * code within the country.
 */
interface DiallingPlan {
  country: string;
  code: string;
  trunk: string;
}

/** ITU-T E.164 codes, each followed by `-` and the national prefix (E.123), if there is one. */
const DIALLING_PLANS: DiallingPlan[] = (
  'US1-1 CA1-1 DE49-0 AT43-0 CH41-0 GB44-0 IE353-0 FR33-0 BE32-0 NL31-0 LU352 ES34 PT351 IT39 DK45 SE46-0 NO47 FI358-0 ' +
  'IS354 PL48 CZ420 SK421-0 HU36-06 RO40-0 BG359-0 GR30 HR385-0 SI386-0 EE372 LV371 LT370-0 UA380-0 TR90-0 IL972-0 ' +
  'AE971-0 SA966-0 IN91-0 CN86-0 JP81-0 KR82-0 HK852 SG65 TH66-0 VN84-0 AU61-0 NZ64-0 ZA27-0 BR55-0 MX52 AR54-0 CL56 CO57'
)
  .split(' ')
  .map((text) => ({
    country: text.slice(0, 2),
    code: /\d+/.exec(text)![0],
    trunk: text.split('-')[1] ?? '',
  }));

/** The digits that come before a number within its country; undefined if not known. */
export const trunkOf = (country: string): string | undefined =>
  DIALLING_PLANS.find((diallingPlan) => diallingPlan.country === country)?.trunk;

/** Beginnings of links that dial a number: RFC 3966, RFC 5724, and WhatsApp's (digits only). */
const HEADS = [
  'tel:',
  'sms:',
  'https?://(?:www\\.)?wa\\.me/',
  'https?://(?:api|web)\\.whatsapp\\.com/send/?\\?phone=',
];
const DIALLING = new RegExp(`^(${HEADS.join('|')})(\\+?[\\d().-]{6,30})(?=$|[?&;,#])`, 'i');

/** A link that dials a number, in three parts: `tel:`, `+351210000000`, `;ext=2`. */
export interface DiallingLink {
  head: string;
  number: string;
  rest: string;
}

/** Splits a link that dials a number; null for other links. */
export function diallingLink(href: string): DiallingLink | null {
  const [wholeMatch = '', head = '', number = ''] = DIALLING.exec(href) ?? [];
  return wholeMatch === '' ? null : { head, number, rest: href.slice(wholeMatch.length) };
}

const LEAST_SHOWN = 7;

/** The digits of a number in international form; null for any other. */
function digitsWithCode(text: string): string | null {
  const [, prefix, digitsText = ''] = /^\s*(\+|00)(.*)$/s.exec(text) ?? [];
  return prefix === undefined ? null : digitsOf(digitsText.replace(/\(0\)/, ''));
}

const planOfDigits = (digits: string) =>
  DIALLING_PLANS.filter(({ code }) => digits.startsWith(code)).sort(
    (first, second) => second.code.length - first.code.length,
  )[0];

/** The country of a number in international form; undefined if several share its code. */
export function countryOfNumber(text: string): string | undefined {
  const digits = digitsWithCode(text);
  const diallingPlan = digits === null ? undefined : planOfDigits(digits);
  return diallingPlan && diallingPlan.code !== '1' ? diallingPlan.country : undefined;
}

/**
 * A number in international form, its groups separated by `-`: `(613) 555-0101` →
 * `+1-613-555-0101`.
 * @param oldNumber the previous number, in international form. If the new number has the same form
 *   and `country` is not given, it gets the same country
 * @param country ISO 3166-1 code of the number's country, if known
 * @returns null if the country is unknown, or the text is not a number or is international already
 */
export function internationalNumber(
  text: string,
  oldNumber: string,
  country?: string,
): string | null {
  if (!isTelephone(text, country) || digitsWithCode(text) !== null) return null;
  const diallingPlan =
    country === undefined
      ? planOfSimilar(text, oldNumber)
      : DIALLING_PLANS.find((candidate) => candidate.country === country);
  if (!diallingPlan) return null;
  const groups = vanityAsDigits(text).split(/\D+/).filter(Boolean);
  const { trunk } = diallingPlan;
  if (trunk !== '' && groups[0]!.startsWith(trunk)) groups[0] = groups[0]!.slice(trunk.length);
  return `+${[diallingPlan.code, ...groups.filter(Boolean)].join('-')}`;
}

/** The dialling plan of the old number, if the new number may be a national number of that plan. */
function planOfSimilar(text: string, oldNumber: string): DiallingPlan | undefined {
  const [digits, oldDigits] = [digitsOf(text), digitsWithCode(oldNumber)];
  const diallingPlan = oldDigits === null ? undefined : planOfDigits(oldDigits);
  if (!diallingPlan) return undefined;
  if (diallingPlan.code === '1') return /^1?[2-9]\d{9}$/.test(digits) ? diallingPlan : undefined;
  const isAlike =
    diallingPlan.trunk === ''
      ? digits.length === oldDigits!.length - diallingPlan.code.length
      : digits.startsWith(diallingPlan.trunk);
  return isAlike ? diallingPlan : undefined;
}

/**
 * A number for a `tel:` link: in international form, or as it is dialled within its country if the
 * country is unknown (RFC 3966, local numbers). See `internationalNumber` for the parameters.
 */
export function numberToDial(givenText: string, oldNumber: string, country?: string): string {
  const text = vanityAsDigits(givenText);
  const knownDigits =
    digitsWithCode(text) ?? digitsWithCode(internationalNumber(text, oldNumber, country) ?? '');
  return knownDigits === null ? digitsOf(text) : `+${knownDigits}`;
}

/**
 * The new URL of a link after the number that the page shows has changed. The page may show the old
 * number without its country code, or with a zero instead.
 * @param link the previous link
 * @param shown the old number as the page shows it
 * @param newNumber the new number as the page will show it
 * @param country ISO 3166-1 code of the new number's country, if known
 * @returns null if the link dials another number, or needs the code of an unknown country
 */
export function redialHref(
  { head, number, rest }: DiallingLink,
  shown: string,
  newNumber: string,
  country?: string,
): string | null {
  const shownDigits = digitsOf(shown.replace(/\(0\)/, '')).replace(/^0+/, '');
  if (
    shownDigits.length < LEAST_SHOWN ||
    !digitsOf(number).endsWith(shownDigits) ||
    !isTelephone(newNumber, country)
  )
    return null;
  const needsCode = /^http/i.test(head);
  const newDigits = numberToDial(newNumber, needsCode ? `+${number}` : number, country);
  const code = digitsOf(number).slice(0, -shownDigits.length);
  const keepsCode =
    !newDigits.startsWith('+') && code !== '' && newDigits.length === shownDigits.length;
  const redialledNumber =
    keepsCode && (needsCode || number.startsWith('+')) ? `+${code}${newDigits}` : newDigits;
  if (!needsCode) return head + redialledNumber + rest;
  return redialledNumber.startsWith('+') ? head + redialledNumber.slice(1) + rest : null;
}
