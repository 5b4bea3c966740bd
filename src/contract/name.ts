import { isLonger } from './text.ts';
import { visible } from './visible.ts';

/** Characters of a name at most. */
export const NAME_LENGTH = 200;

/** What is wrong with a name, after "name". */
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
  /** Characters at most. */
  limit?: number;
  /** Whether letters carry the name to strangers: it must not lead them anywhere then. */
  isMailed?: boolean;
}

/** A letter, digit or sign; the one of Braille without dots is blank. */
const shown = /[[\p{L}\p{N}\p{P}\p{S}]--\u2800]/v;
const lineEnds = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/**
 * The one rule for names of people, organizations, sites, keys, authors and tasks: what a name
 * shows is all that it is.
 * @returns null where nothing is wrong with the name
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

/** Dots that browsers read as the dot of a host name (UTS #46, section 4). */
const dots = /[\u3002\uFF0E\uFF61]/g;
const host = /[^\s.]\.\p{L}[\p{L}\p{M}\p{N}-]/u;
const ip = /\d\.\d{1,3}\.\d{1,3}\.\d/;
const emailAddress = /\S@\S/;
const url = /:\/\/|\b(?:data|javascript|mailto|sms|tel):/i;
/** What a header field may say in another way (RFC 2047). */
const encodedWord = /=\?/;

/**
 * Whether a program could make a link of a part of a text: a URL, a host name, an e-mail address.
 */
export function hasAddress(text: string): boolean {
  const plain = text.replace(dots, '.').normalize('NFKC');
  return [host, ip, emailAddress, url, encodedWord].some((pattern) => pattern.test(plain));
}

/** A name is cut out of this much of a text. */
const READ = 10_000;

/**
 * A person's name that somebody else gave, such as an OIDC provider: in one line, cut, without what
 * is invisible.
 * @param given of any type
 * @returns the first part of the e-mail address where that leaves no name
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
