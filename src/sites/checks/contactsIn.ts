import { normalizeText } from '../../contract/normalizeText.ts';
import { unescape } from 'node:querystring';
import { digitsOf } from '../../text/text.ts';

/** The e-mail addresses and telephone numbers that a link writes to or dials. */
export interface Contacts {
  /** In lower case. An unusual name before the `@`, such as a quoted one, is left out. */
  mailboxes: string[];
  /** The dialled characters: digits, and letters, which telephone keys have too. */
  numbers: string[];
}

/**
 * The e-mail addresses and telephone numbers of a link (RFC 6068, RFC 3966, RFC 5724, WhatsApp).
 * Programs accept more than the standards allow, so everything that could be one counts.
 */
export function contactsIn(url: string): Contacts {
  const [, scheme = '', rest = ''] = /^(mailto|tel|sms):(.*)$/is.exec(url) ?? [];
  if (scheme === '') return { mailboxes: [], numbers: [whatsAppNumber(url)].filter(Boolean) };
  const text = normalizeText(unescape(rest), 'NFKC').toLowerCase();
  if (/^mailto$/i.test(scheme))
    return { mailboxes: mailboxesInWords(text.replaceAll('。', '.')), numbers: [] };
  return { mailboxes: [], numbers: targetsOf(rest).map(dialledIn).filter(Boolean) };
}

const between = /[\s"'<>(),;:?&=#/\\|{}]+/;

function mailboxesInWords(text: string): string[] {
  const words = text.split(between).map((word) => word.replace(/[.!*]{1,9}$/, ''));
  return [...new Set(words.filter(isMailbox))];
}

/**
 * Whether a word is an e-mail address. Also accepts an address without its quoted name, and one
 * with an IP address.
 */
function isMailbox(word: string): boolean {
  const host = word.slice(word.lastIndexOf('@') + 1);
  return word.includes('@') && /^(?:\[|[^.]+\.)/.test(host);
}

/**
 * The dialled numbers of a link: in the part before the parameters, or in the first part that is no
 * parameter.
 */
function targetsOf(rest: string): string[] {
  const isTarget = (part: string) => part !== '' && !part.includes('=');
  return unescape(rest.split(/[?&;#]/).find(isTarget) ?? '').split(',');
}

/** The letters and digits of a number, in any script, since a telephone may know them. */
const dialledIn = (target: string) =>
  normalizeText(target, 'NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

const PAGE = 'https://page.invalid';

function whatsAppNumber(url: string): string {
  const { hostname = '', pathname = '', searchParams } = URL.parse(url, PAGE) ?? {};
  if (/^(?:www\.)?wa\.me\.?$/.test(hostname))
    return numberIn(unescape(pathname).replaceAll('/', ''));
  return /^(?:api|web)\.whatsapp\.com\.?$/.test(hostname)
    ? numberIn(searchParams?.get('phone') ?? '')
    : '';
}

const numberIn = (text: string) => (/^[\s+\d().-]+$/.test(text) ? digitsOf(text) : '');
