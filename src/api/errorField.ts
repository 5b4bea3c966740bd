import { STATUS_CODES } from 'node:http';
import { DisplayString, serializeItem, Token } from 'structured-headers';

/** The header field that says more of an error than the specification's texts do. */
export const ERROR_FIELD = 'Agent-Tasks-Error';

const LONGEST_REASON = 300;
const printable = /^[\x20-\x7e]*$/;

/**
 * The value of `Agent-Tasks-Error`, an item of RFC 9651: the code as its token, the reason as its
 * parameter.
 * @param code such as INVALID_CALLBACK_URL
 * @param reason cut after 300 characters, without control characters; as a Display String where it
 *   is not all ASCII
 */
export function errorField(code: string, reason?: string): string {
  if (reason === undefined) return serializeItem(new Token(code));
  const text = reason
    .slice(0, LONGEST_REASON)
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, ' ');
  const value = printable.test(text) ? text : new DisplayString(text);
  return serializeItem(new Token(code), new Map([['reason', value]]));
}

/** The code of an error that has none of its own: `Payload Too Large` is PAYLOAD_TOO_LARGE. */
export const codeOfStatus = (status: number): string =>
  (STATUS_CODES[status] ?? 'Error').toUpperCase().replaceAll(/[^A-Z]+/g, '_');
