import { createHmac } from 'node:crypto';

const MOST_WORDS = 20;
const HEX_DIGITS = 12;
/** No more of a title is read. */
const LONGEST = 400;

/**
 * A title's words as the lists of tasks look for them: in any case, without accents. Each is a MAC,
 * since values of search attributes are not encrypted where the others are.
 */
export function titleWords(secret: Uint8Array, organizationId: string, title: string): string[] {
  const plain = title.slice(0, LONGEST).normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const words = new Set(plain.match(/[\p{L}\p{N}]+/gu));
  return [...words].slice(0, MOST_WORDS).map((word) => {
    const mac = createHmac('sha256', secret).update(`title of a task\0${organizationId}\0${word}`);
    return mac.digest('hex').slice(0, HEX_DIGITS);
  });
}
