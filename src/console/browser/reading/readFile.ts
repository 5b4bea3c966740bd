import { readCells } from '../readTable.ts';
import { BYTES_PER_BATCH } from '../table.ts';
import { nameOfEncoding } from './encodings.ts';
import { kindOf, takeInstead } from './fileKinds.ts';
import type { Reading } from './fileCells.ts';

export interface ReadingOptions {
  /** Label of the encoding that a person chose. */
  encoding?: string | undefined;
  /** The person's languages: BCP 47 tags. */
  languages?: readonly string[];
}

const MB = 1_000_000;

/**
 * Reads a file that a person chose or dropped.
 * @returns its cells, or a sentence that says why there are none
 */
export async function readFile(
  file: Blob,
  options: ReadingOptions = {},
): Promise<Reading | string> {
  if (file.size > BYTES_PER_BATCH)
    return `The file has ${Math.ceil(file.size / MB)} MB. A table has ${BYTES_PER_BATCH / MB} MB at most.`;
  const bytes = await bytesOf(file);
  if (!bytes) return 'The file can’t be read any more. Choose it again.';
  const found = kindOf(bytes);
  if (typeof found === 'string') return found;
  if (found.kind === 'text') return readText(bytes, options);
  const { readWorkbook } = await import('./workbook.ts');
  return readWorkbook(bytes, options.languages?.[0] ?? 'en-US');
}

/** The bytes of a file; undefined if the file was changed or removed after it was chosen. */
const bytesOf = async (file: Blob) => {
  try {
    return new Uint8Array(await file.arrayBuffer());
  } catch {
    return undefined;
  }
};

async function readText(
  bytes: Uint8Array,
  { encoding, languages }: ReadingOptions,
): Promise<Reading | string> {
  const { decode, recognizeEncoding } = await import('./encoding.ts');
  const label = encoding ?? recognizeEncoding(bytes, languages);
  if (label === null) return `This is no table of text. ${takeInstead}`;
  const text = decode(bytes, label);
  if (/^\s{0,100}<(?:!doctype|html|\?xml|table)/i.test(text))
    return `This is a web page or XML. ${takeInstead}`;
  const cells = readCells(text);
  if (typeof cells === 'string') return cells;
  const remarks = text.includes('\ufffd')
    ? [`Some characters can’t be read as ${nameOfEncoding(label)}. Choose another encoding.`]
    : [];
  return { cells, encoding: label, remarks };
}
