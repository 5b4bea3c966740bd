import { STATUS_CODES } from 'node:http';
import { DisplayString, serializeItem, Token } from 'structured-headers';

/**
 * The header field with an error's code and reason. The body of an error has only a text
 * (docs/contract.md, section 8.1).
 */
export const ERROR_FIELD = 'Agent-Tasks-Error';

const LONGEST_REASON = 300;
const printable = /^[\x20-\x7e]*$/;

/**
 * The value of `Agent-Tasks-Error`, an item of RFC 9651: the code as a token, the reason as its
 * parameter.
 * @param code such as INVALID_CALLBACK_URL
 * @param reason is cut after 300 characters and loses control characters; sent as a Display String
 *   if it is not ASCII
 */
export function errorField(code: string, reason?: string): string {
  if (reason === undefined) return serializeItem(new Token(code));
  const cleanReason = reason
    .slice(0, LONGEST_REASON)
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, ' ');
  const value = printable.test(cleanReason) ? cleanReason : new DisplayString(cleanReason);
  return serializeItem(new Token(code), new Map([['reason', value]]));
}

/**
 * The code of an error that is not a `DomainError`: `Payload Too Large` becomes PAYLOAD_TOO_LARGE.
 */
export const codeOfStatus = (status: number): string =>
  (STATUS_CODES[status] ?? 'Error').toUpperCase().replaceAll(/[^A-Z]+/g, '_');
