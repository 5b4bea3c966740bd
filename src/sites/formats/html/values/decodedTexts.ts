/**
 * Texts that a page has in an encoded form, so that a search does not find them:
 *
 *     "M\u00fcnchen"                 an escape in a script
 *     data-state="eyJ0b3duIjoi…"     base64
 *     data-cfemail="5a3b2f292e33…"   an e-mail address that Cloudflare hides from robots
 */

const ESCAPE = /\\(?:u\{([\da-f]{1,6})\}|u([\da-f]{4})|x([\da-f]{2}))/gi;

/** A piece of a script, with its escapes as the characters that they stand for. */
export const decodeEscapes = (code: string): string =>
  code.replace(ESCAPE, (escape: string, ...digits: (string | undefined)[]) => {
    const number = Number.parseInt(digits.slice(0, 3).find(Boolean)!, 16);
    return number > 0x10_ffff ? escape : String.fromCodePoint(number);
  });

const BASE64 = /^(?:data:(?!image)[^,]{0,80};base64,)?([\w+/-]{12,20000}={0,2})$/;
const HIDDEN_MAILBOX = /^(?:.*\/cdn-cgi\/l\/email-protection#)?((?:[\da-f]{2}){6,200})$/i;
const NO_TEXT = /[^\P{C}\p{Cf}\t\n\r]|\uFFFD/u;

/** The texts that a value has in base64, or as an e-mail address that Cloudflare hides. */
export function decodedTexts(value: string): string[] {
  const [, base64 = ''] = BASE64.exec(value) ?? [];
  const [, hex = ''] = HIDDEN_MAILBOX.exec(value) ?? [];
  const [key = 0, ...bytes] = Buffer.from(hex, 'hex');
  const mailbox = Buffer.from(bytes.map((byte) => byte ^ key)).toString();
  return [
    ...(mailbox.includes('@') ? [mailbox] : []),
    ...(base64 === '' ? [] : [Buffer.from(base64, 'base64').toString()]),
  ].filter((text) => !NO_TEXT.test(text));
}
