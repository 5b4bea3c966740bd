import { unescape } from 'node:querystring';
import { digitsOf } from '../../text/text.ts';

/** Whom a link writes to or dials. */
export interface Contacts {
  /** In lower case; without the name in front of the `@` where that is no plain one. */
  mailboxes: string[];
  /** What is dialled: digits, and letters, which stand on a telephone's keys. */
  numbers: string[];
}

/**
 * Whom a link writes to or dials (RFC 6068, RFC 3966, RFC 5724, and WhatsApp's). Programs read more
 * than the standards allow, so whatever could be a mailbox or a number counts.
 */
export function contactsIn(url: string): Contacts {
  const [, scheme = '', rest = ''] = /^(mailto|tel|sms):(.*)$/is.exec(url) ?? [];
  if (scheme === '') return { mailboxes: [], numbers: [whatsAppNumber(url)].filter(Boolean) };
  const text = unescape(rest).normalize('NFKC').toLowerCase();
  if (/^mailto$/i.test(scheme))
    return { mailboxes: mailboxesInWords(text.replaceAll('。', '.')), numbers: [] };
  return { mailboxes: [], numbers: targetsOf(rest).map(dialledIn).filter(Boolean) };
}

const between = /[\s"'<>(),;:?&=#/\\|{}]+/;

function mailboxesInWords(text: string): string[] {
  const words = text.split(between).map((word) => word.replace(/[.!*]{1,9}$/, ''));
  return [...new Set(words.filter(isMailbox))];
}

/** Takes names without their quoted part, and IP addresses too. */
function isMailbox(word: string): boolean {
  const host = word.slice(word.lastIndexOf('@') + 1);
  return word.includes('@') && /^(?:\[|[^.]+\.)/.test(host);
}

/** The part before the parameters, or the first one that is no parameter. */
function targetsOf(rest: string): string[] {
  const isTarget = (part: string) => part !== '' && !part.includes('=');
  return unescape(rest.split(/[?&;#]/).find(isTarget) ?? '').split(',');
}

/** Digits of every script: a telephone may know them. */
const dialledIn = (target: string) =>
  target
    .normalize('NFKC')
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
