import { analyse } from 'chardet';
import { withoutOrder } from './encodings.ts';
import { plausibility } from './plausibility.ts';

/** How many bytes of a file are enough to recognize its encoding. */
const SAMPLE_BYTES = 256_000;
/** The confidence, of 100, that `chardet` gives to any encoding that is merely possible. */
const NO_CONFIDENCE = 10;
/**
 * How much `chardet`'s confidence counts. It counts less for files with fewer than `ENOUGH_BYTES`
 * bytes outside ASCII, because the frequencies of a few letters say little.
 */
const WEIGHT = 0.6;
const ENOUGH_BYTES = 8;
/** Added to the score of an encoding that is usual for the person's language. */
const OWN_LANGUAGE = 12;

/**
 * Recognizes the encoding of a text file: by its byte order mark, by the zero bytes of UTF-16, or
 * as UTF-8 if the bytes are valid. Else the frequency of letters (`chardet`) and how well the
 * decoded text reads decide.
 * @param languages of the person who chose the file, for example `['nb-NO', 'en']`
 * @returns a label for `TextDecoder`; null if the bytes are not text
 */
export function recognizeEncoding(
  bytes: Uint8Array,
  languages: readonly string[] = [],
): string | null {
  const marked = byMark(bytes);
  if (marked) return marked;
  if (bytes.includes(0)) return byZeros(bytes);
  if (isUtf8(bytes)) return 'utf-8';
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const found = new Map<string, number>();
  for (const { name, confidence } of analyse(sample)) {
    const label = labelOf(name);
    found.set(label, Math.max(confidence - NO_CONFIDENCE, found.get(label) ?? 0));
    if (label === 'windows-1250') found.set('iso-8859-2', found.get(label)!);
  }
  const weight = Math.min(1, sample.filter((byte) => byte > 0x7f).length / ENOUGH_BYTES) * WEIGHT;
  const language = (languages[0] ?? '').toLowerCase();
  const scored = withoutOrder.map(([label, , own, usual, prior]) => {
    const read = plausibility(decode(sample, label), usual) * 60;
    const ofPerson = isOneOf(own.split(' '), language) ? OWN_LANGUAGE : 0;
    return { label, score: read + (found.get(label) ?? 0) * weight + prior + ofPerson };
  });
  return scored.toSorted((one, other) => other.score - one.score)[0]!.label;
}

/** Decodes a file. Bytes that are invalid in the encoding become U+FFFD. */
export const decode = (bytes: Uint8Array, label: string): string =>
  new TextDecoder(label).decode(bytes);

function byMark([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

/**
 * Recognizes UTF-16. Line ends, digits and delimiters have a zero byte there: always the first of
 * two bytes, or always the second.
 */
function byZeros(bytes: Uint8Array): string | null {
  const zeros = [0, 0];
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === 0) zeros[at % 2]!++;
  const [even = 0, odd = 0] = zeros;
  const isRare = Math.min(even, odd) * 20 < Math.max(even, odd);
  if (bytes.length % 2 === 1 || !isRare) return null;
  const label = odd > even ? 'utf-16le' : 'utf-16be';
  return /[\0\ufffe\uffff\ufffd]/.test(decode(bytes, label)) ? null : label;
}

/** Whether the bytes are UTF-8. A few broken characters are allowed. */
function isUtf8(bytes: Uint8Array): boolean {
  const text = decode(bytes, 'utf-8');
  const broken = text.split('\ufffd').length - 1;
  if (broken === 0) return true;
  let good = 0;
  for (const sign of text) if (sign > '\u007f' && sign !== '\ufffd') good++;
  return broken * 4 < good;
}

/**
 * Windows encodings that are tried in place of ISO ones. They have all letters of the ISO
 * encodings; only those of ISO-8859-2 stand at other bytes.
 */
const windows: Record<string, string> = {
  'ISO-8859-1': 'windows-1252',
  'ISO-8859-2': 'windows-1250',
  'ISO-8859-6': 'windows-1256',
  'ISO-8859-7': 'windows-1253',
  'ISO-8859-8': 'windows-1255',
  'ISO-8859-9': 'windows-1254',
};
const labelOf = (name: string) => windows[name] ?? name.toLowerCase();

/** Whether the list has a language (`nb-no`), or the same without its region (`nb`). */
const isOneOf = (languages: string[], language: string) =>
  language !== '' && (languages.includes(language) || languages.includes(language.split('-')[0]!));
