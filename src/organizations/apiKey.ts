import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const PREFIX = 'ak_';
const RANDOM_LENGTH = 40;
const CHECK_LENGTH = 6;
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SHAPE = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH + CHECK_LENGTH}}$`);

/** A new API key: `ak_`, 40 random base62 characters (238 bits), and their CRC32 in 6 more. */
export function newApiKey(): string {
  const randomPart = Array.from(
    { length: RANDOM_LENGTH },
    () => BASE62[randomInt(BASE62.length)],
  ).join('');
  return PREFIX + randomPart + keyChecksum(PREFIX + randomPart);
}

/**
 * Whether a text has the format and the checksum of an API key. Finds typing errors without a query
 * to the database.
 */
export function isApiKey(text: string): boolean {
  return (
    SHAPE.test(text) && keyChecksum(text.slice(0, -CHECK_LENGTH)) === text.slice(-CHECK_LENGTH)
  );
}

/**
 * The SHA-256 of an API key, as the database stores it. Salt and stretching are needless, because a
 * key has 238 random bits.
 */
export function hashOfApiKey(apiKey: string): string {
  return hash('sha256', apiKey, 'hex');
}

/**
 * The first characters of a key, by which people recognize it: `ak_` and 4 of its 40 random ones.
 */
export const keyPrefix = (apiKey: string): string => apiKey.slice(0, PREFIX.length + 4);

function keyChecksum(text: string): string {
  let remainder = crc32(text);
  let checkCharacters = '';
  while (checkCharacters.length < CHECK_LENGTH) {
    checkCharacters = BASE62.charAt(remainder % BASE62.length) + checkCharacters;
    remainder = Math.floor(remainder / BASE62.length);
  }
  return checkCharacters;
}
