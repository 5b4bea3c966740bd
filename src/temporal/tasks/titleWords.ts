import { normalizeText } from '../../contract/normalizeText.ts';
import { createHmac } from 'node:crypto';

const MOST_WORDS = 20;
const HEX_DIGITS = 12;
/** Characters of a title that are read. */
const LONGEST = 400;

/**
 * A title's words as lists of tasks search for them: in lower case, without accents. Each word is a
 * MAC, since search attributes are never encrypted, even if other values are.
 */
export function titleWords(secret: Uint8Array, organizationId: string, title: string): string[] {
  const plain = normalizeText(title.slice(0, LONGEST), 'NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const words = new Set(plain.match(/[\p{L}\p{N}]+/gu));
  return [...words].slice(0, MOST_WORDS).map((word) => {
    const mac = createHmac('sha256', secret).update(`title of a task\0${organizationId}\0${word}`);
    return mac.digest('hex').slice(0, HEX_DIGITS);
  });
}
