import { normalizeText } from '../normalizeText.ts';
import { isLonger } from './summaries.ts';
import { removeInvisible } from './removeInvisible.ts';

/** Maximum length in characters. */
export const NAME_LENGTH = 200;

/** Messages for invalid names. The label of the field comes before them. */
export const nameViolationMessages = {
  long: 'must be at most {{#limit}} characters long',
  blank: 'must not be blank',
  half: 'must not contain half of a character (an unpaired surrogate)',
  line: 'must be one line without control characters',
  hidden: 'must not contain characters that are invisible or that change the text direction',
  address: 'must not contain a web address, such as example.com: put a space after each dot',
};
export type NameViolation = keyof typeof nameViolationMessages;

export interface NameRule {
  /** Maximum length in characters. */
  limit?: number;
  /** Whether e-mails to strangers contain the name. If so, it must not contain a web address. */
  isMailed?: boolean;
}

/** A visible character. U+2800 is Braille without dots, which is blank. */
const visibleCharacter = /[[\p{L}\p{N}\p{P}\p{S}]--\u2800]/v;
const lineEnds = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/**
 * The rule for names of people, organizations, sites, keys, authors and tasks: one line without
 * invisible characters.
 * @returns null if the name is valid
 */
export function findNameViolation(
  name: string,
  { limit = NAME_LENGTH, isMailed = false }: NameRule = {},
): NameViolation | null {
  if (isLonger(name, limit)) return 'long';
  if (!visibleCharacter.test(name)) return 'blank';
  if (!name.isWellFormed()) return 'half';
  if (lineEnds.test(name)) return 'line';
  if (removeInvisible(name) !== name) return 'hidden';
  return isMailed && hasAddress(name) ? 'address' : null;
}

/** Characters that browsers treat as the dot of a host name (UTS #46, section 4). */
const dotCharacters = /[\u3002\uFF0E\uFF61]/g;
const hostPattern = /[^\s.]\.\p{L}[\p{L}\p{M}\p{N}-]/u;
const ipPattern = /\d\.\d{1,3}\.\d{1,3}\.\d/;
const emailAddress = /\S@\S/;
const linkPattern = /:\/\/|\b(?:data|javascript|mailto|sms|tel):/i;
/** Start of an encoded word, which mail programs decode in header fields (RFC 2047). */
const encodedWord = /=\?/;

/**
 * Whether a mail program could turn a part of a text into a link: a URL, a host name, an e-mail
 * address.
 */
export function hasAddress(text: string): boolean {
  const normalizedText = normalizeText(text.replace(dotCharacters, '.'), 'NFKC');
  return [hostPattern, ipPattern, emailAddress, linkPattern, encodedWord].some((pattern) =>
    pattern.test(normalizedText),
  );
}

/** Maximum number of characters to read of a given name. */
const READ_CHARACTERS = 10_000;

/**
 * Cleans a person's name that an external source gave, such as an OIDC provider: one line,
 * shortened, without invisible characters.
 * @param givenName of any type
 * @returns the name, or the e-mail address's local part if no name remains
 */
export function cleanPersonName(givenName: unknown, email: string): string {
  const [accountPart = ''] = email.split('@');
  const names = [typeof givenName === 'string' ? givenName : '', accountPart.replaceAll('.', ' ')];
  const validName = names
    .map(cleanNameLine)
    .find((name) => findNameViolation(name, { isMailed: true }) === null);
  return validName ?? 'Unnamed';
}

function cleanNameLine(text: string): string {
  const trimmedLine = removeInvisible(
    text.slice(0, READ_CHARACTERS).replace(/[\s\p{Cc}]+/gu, ' '),
  ).trim();
  return [...trimmedLine].slice(0, NAME_LENGTH).join('').trim();
}
