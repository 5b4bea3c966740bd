import { normalizeText } from '../../contract/normalizeText.ts';
import { unescape } from 'node:querystring';
import { digitsOf } from '../../text/text.ts';

/** The e-mail addresses and telephone numbers that a link writes to or dials. */
export interface LinkContacts {
  /** In lower case. An unusual name before the `@`, such as a quoted one, is left out. */
  mailboxes: string[];
  /** The dialled characters: digits, and letters, which telephone keys have too. */
  numbers: string[];
}

/**
 * Finds the e-mail addresses and telephone numbers of a link (RFC 6068, RFC 3966, RFC 5724,
 * WhatsApp): `tel:+351-21` → numbers `35121`. Programs accept more than the standards allow, so
 * everything counts that could be an address or a number.
 */
export function findContacts(url: string): LinkContacts {
  const [, scheme = '', target = ''] = /^(mailto|tel|sms):(.*)$/is.exec(url) ?? [];
  if (scheme === '') return { mailboxes: [], numbers: [whatsAppNumber(url)].filter(Boolean) };
  const text = normalizeText(unescape(target), 'NFKC').toLowerCase();
  if (/^mailto$/i.test(scheme))
    return { mailboxes: mailboxesInWords(text.replaceAll('。', '.')), numbers: [] };
  return { mailboxes: [], numbers: dialTargets(target).map(dialledNumber).filter(Boolean) };
}

const wordBreaks = /[\s"'<>(),;:?&=#/\\|{}]+/;

function mailboxesInWords(text: string): string[] {
  const words = text.split(wordBreaks).map((word) => word.replace(/[.!*]{1,9}$/, ''));
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
 * The dialled numbers of a link: those in its first part that is not a parameter.
 */
function dialTargets(target: string): string[] {
  const isTarget = (part: string) => part !== '' && !part.includes('=');
  return unescape(target.split(/[?&;#]/).find(isTarget) ?? '').split(',');
}

/** The letters and digits of a number, in any script, since a telephone may know them. */
const dialledNumber = (target: string) =>
  normalizeText(target, 'NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

const BASE_URL = 'https://page.invalid';

function whatsAppNumber(url: string): string {
  // oxlint-disable-next-line own/no-bare-url-parse -- in a thread, whose CPU time is limited
  const { hostname = '', pathname = '', searchParams } = URL.parse(url, BASE_URL) ?? {};
  if (/^(?:www\.)?wa\.me\.?$/.test(hostname))
    return phoneDigits(unescape(pathname).replaceAll('/', ''));
  return /^(?:api|web)\.whatsapp\.com\.?$/.test(hostname)
    ? phoneDigits(searchParams?.get('phone') ?? '')
    : '';
}

const phoneDigits = (text: string) => (/^[\s+\d().-]+$/.test(text) ? digitsOf(text) : '');
