import { normalizeText } from './normalizeText.ts';
import { isLonger } from './text.ts';
import { visible } from './visible.ts';

/** Maximum length in characters. */
export const NAME_LENGTH = 200;

/** Messages for wrong names. They follow the word "name". */
export const nameFaults = {
  long: 'must be at most {{#limit}} characters long',
  blank: 'must not be blank',
  half: 'must not contain half of a character (an unpaired surrogate)',
  line: 'must be one line without control characters',
  hidden: 'must not contain characters that are invisible or change the direction of a text',
  address: 'must not contain an address, such as example.com: put a space behind each dot',
};
export type NameFault = keyof typeof nameFaults;

export interface NameRule {
  /** Maximum length in characters. */
  limit?: number;
  /** Whether mails carry the name to strangers. It must not contain an address then. */
  isMailed?: boolean;
}

/** A visible character. U+2800 is Braille without dots, which is blank. */
const shown = /[[\p{L}\p{N}\p{P}\p{S}]--\u2800]/v;
const lineEnds = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/**
 * The rule for names of people, organizations, sites, keys, authors and tasks: one line without
 * invisible characters.
 * @returns null if the name is valid
 */
export function nameFault(
  name: string,
  { limit = NAME_LENGTH, isMailed = false }: NameRule = {},
): NameFault | null {
  if (isLonger(name, limit)) return 'long';
  if (!shown.test(name)) return 'blank';
  if (!name.isWellFormed()) return 'half';
  if (lineEnds.test(name)) return 'line';
  if (visible(name) !== name) return 'hidden';
  return isMailed && hasAddress(name) ? 'address' : null;
}

/** Characters that browsers treat as the dot of a host name (UTS #46, section 4). */
const dots = /[\u3002\uFF0E\uFF61]/g;
const host = /[^\s.]\.\p{L}[\p{L}\p{M}\p{N}-]/u;
const ip = /\d\.\d{1,3}\.\d{1,3}\.\d/;
const emailAddress = /\S@\S/;
const url = /:\/\/|\b(?:data|javascript|mailto|sms|tel):/i;
/** Start of an encoded word, which mail programs decode in header fields (RFC 2047). */
const encodedWord = /=\?/;

/**
 * Whether a mail program could turn a part of a text into a link: a URL, a host name, an e-mail
 * address.
 */
export function hasAddress(text: string): boolean {
  const plain = normalizeText(text.replace(dots, '.'), 'NFKC');
  return [host, ip, emailAddress, url, encodedWord].some((pattern) => pattern.test(plain));
}

/** Maximum number of characters to read of a given name. */
const READ = 10_000;

/**
 * Cleans a person's name that an external source gave, such as an OIDC provider: one line,
 * shortened, without invisible characters.
 * @param given of any type
 * @returns the name, or the e-mail address's local part if no name remains
 */
export function personNameOf(given: unknown, email: string): string {
  const [account = ''] = email.split('@');
  const names = [typeof given === 'string' ? given : '', account.replaceAll('.', ' ')];
  const found = names.map(oneLine).find((name) => nameFault(name, { isMailed: true }) === null);
  return found ?? 'Unnamed';
}

function oneLine(text: string): string {
  const line = visible(text.slice(0, READ).replace(/[\s\p{Cc}]+/gu, ' ')).trim();
  return [...line].slice(0, NAME_LENGTH).join('').trim();
}
