// The bundler gives a dynamic import of a CommonJS package no named exports. This module imports it
// statically, and is itself loaded only when somebody drops a file.
import { analyse } from 'chardet';

/** How many bytes of a file are enough to recognize its encoding. */
const SAMPLE_BYTES = 256_000;

/** Recognizes UTF-8 and UTF-16. Every other text counts as Windows-1252. */
export function recognizeEncoding(bytes: Uint8Array): string {
  const encodingNames = analyse(bytes.subarray(0, SAMPLE_BYTES)).map(({ name }) =>
    name.toLowerCase(),
  );
  return encodingNames.find((name) => /^utf-(?:8|16[bl]e)$/.test(name)) ?? 'windows-1252';
}
