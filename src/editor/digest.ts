import { createHash } from 'node:crypto';

/** SHA-256 of a page's source, hexadecimal. */
export const digestOf = (source: string) => createHash('sha256').update(source).digest('hex');
