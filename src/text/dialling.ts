import { digitsOf } from './text.ts';
import { isTelephone, keyed } from './telephone.ts';

/**
 * How a country's numbers are dialled: its country code, and the prefix (`trunk`) that replaces the
 * code within the country.
 */
interface Plan {
  country: string;
  code: string;
  trunk: string;
}

/** ITU-T E.164 codes, each followed by `-` and the national prefix (E.123), if there is one. */
const PLANS: Plan[] = (
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
  PLANS.find((plan) => plan.country === country)?.trunk;

/** Beginnings of links that dial a number: RFC 3966, RFC 5724, and WhatsApp's (digits only). */
const HEADS = [
  'tel:',
  'sms:',
  'https?://(?:www\\.)?wa\\.me/',
  'https?://(?:api|web)\\.whatsapp\\.com/send/?\\?phone=',
];
const DIALLING = new RegExp(`^(${HEADS.join('|')})(\\+?[\\d().-]{6,30})(?=$|[?&;,#])`, 'i');

/** A link that dials a number, in three parts. */
export interface DiallingLink {
  head: string;
  number: string;
  rest: string;
}

/** Splits a link that dials a number; null for other links. */
export function diallingLink(href: string): DiallingLink | null {
  const [whole = '', head = '', number = ''] = DIALLING.exec(href) ?? [];
  return whole === '' ? null : { head, number, rest: href.slice(whole.length) };
}

const LEAST_SHOWN = 7;

/** The digits of a number in international form; null for any other. */
function withCode(text: string): string | null {
  const [, prefix, rest = ''] = /^\s*(\+|00)(.*)$/s.exec(text) ?? [];
  return prefix === undefined ? null : digitsOf(rest.replace(/\(0\)/, ''));
}

const planOf = (digits: string) =>
  PLANS.filter(({ code }) => digits.startsWith(code)).sort(
    (a, b) => b.code.length - a.code.length,
  )[0];

/** The country of a number in international form; undefined if several share its code. */
export function countryOfNumber(text: string): string | undefined {
  const digits = withCode(text);
  const plan = digits === null ? undefined : planOf(digits);
  return plan && plan.code !== '1' ? plan.country : undefined;
}

/**
 * A number in international form, its groups separated by `-`: `(613) 555-0101` ->
 * `+1-613-555-0101`.
 * @param old the previous number, in international form. If the new number looks alike, it gets the
 *   same country
 * @param country ISO 3166-1 code of the number's country, if known
 * @returns null if the country is unknown or the text is no number
 */
export function international(text: string, old: string, country?: string): string | null {
  if (!isTelephone(text, country) || withCode(text) !== null) return null;
  const plan =
    country === undefined ? planLike(text, old) : PLANS.find((own) => own.country === country);
  if (!plan) return null;
  const groups = keyed(text).split(/\D+/).filter(Boolean);
  const { trunk } = plan;
  if (trunk !== '' && groups[0]!.startsWith(trunk)) groups[0] = groups[0]!.slice(trunk.length);
  return `+${[plan.code, ...groups.filter(Boolean)].join('-')}`;
}

/** The dialling plan of the old number, if the new number may be a national number of that plan. */
function planLike(text: string, old: string): Plan | undefined {
  const [digits, before] = [digitsOf(text), withCode(old)];
  const plan = before === null ? undefined : planOf(before);
  if (!plan) return undefined;
  if (plan.code === '1') return /^1?[2-9]\d{9}$/.test(digits) ? plan : undefined;
  const isAlike =
    plan.trunk === ''
      ? digits.length === before!.length - plan.code.length
      : digits.startsWith(plan.trunk);
  return isAlike ? plan : undefined;
}

/**
 * A number for a `tel:` link: in international form, or as it is dialled within its country if the
 * country is unknown (RFC 3966, local numbers).
 */
export function dialled(given: string, old: string, country?: string): string {
  const text = keyed(given);
  const known = withCode(text) ?? withCode(international(text, old, country) ?? '');
  return known === null ? digitsOf(text) : `+${known}`;
}

/**
 * A link's new address after the number that it shows changed. The page may show the old number
 * without its country code, or with a zero instead.
 * @param link the previous link
 * @param shown the old number as the page shows it
 * @returns null if the link dials another number, or needs the code of an unknown country
 */
export function redialled(
  { head, number, rest }: DiallingLink,
  shown: string,
  now: string,
  country?: string,
): string | null {
  const shows = digitsOf(shown.replace(/\(0\)/, '')).replace(/^0+/, '');
  if (shows.length < LEAST_SHOWN || !digitsOf(number).endsWith(shows) || !isTelephone(now, country))
    return null;
  const needsCode = /^http/i.test(head);
  const next = dialled(now, needsCode ? `+${number}` : number, country);
  const code = digitsOf(number).slice(0, -shows.length);
  const keepsCode = !next.startsWith('+') && code !== '' && next.length === shows.length;
  const whole = keepsCode && (needsCode || number.startsWith('+')) ? `+${code}${next}` : next;
  if (!needsCode) return head + whole + rest;
  return whole.startsWith('+') ? head + whole.slice(1) + rest : null;
}
