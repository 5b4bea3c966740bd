import { createHash } from 'node:crypto';

/** SHA-256 of a page's source, hexadecimal. */
export const sourceDigest = (source: string) => createHash('sha256').update(source).digest('hex');
