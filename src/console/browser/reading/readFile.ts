import { readCells } from '../table/readTextTable.ts';
import { BYTES_PER_BATCH } from '../table/tableColumns.ts';
import { recognizeFile, type FileReading, takeInstead } from './fileKinds.ts';

export interface ReadingOptions {
  /** Label of the encoding that a person chose. */
  encoding?: string | undefined;
  /** The person's language: BCP 47 tag. */
  language?: string;
}

const MB = 1_000_000;

/**
 * Reads the table in a file that a person chose or dropped. The browser does all of it: the file is
 * not sent to the service. fileKinds.ts recognizes the kind of file, encoding.ts the encoding of a
 * text, and workbook.ts reads .xlsx, with shownValue.ts for numbers and dates. firstRow.ts says
 * whether the first row names the columns.
 * A CSV file with `City,Phone` and `Lisbon,+351 21` →
 * `{ cells: [['City', 'Phone'], ['Lisbon', '+351 21']], encoding: …, remarks: [] }`
 * @returns its cells, or a sentence that says why there are none
 */
export async function readTableFile(
  file: Blob,
  { encoding, language = 'en-US' }: ReadingOptions = {},
): Promise<FileReading | string> {
  if (file.size > BYTES_PER_BATCH)
    return `The file has ${Math.ceil(file.size / MB)} MB. The limit is ${BYTES_PER_BATCH / MB} MB. Split the table.`;
  const fileContent = await fileBytes(file);
  if (!fileContent) return 'The file has changed or was removed. Choose it again.';
  const recognizedFile = recognizeFile(fileContent);
  if (typeof recognizedFile === 'string') return recognizedFile;
  if (recognizedFile.kind === 'text') return readTextFile(fileContent, encoding);
  const { readWorkbook } = await import('./workbook.ts');
  return readWorkbook(fileContent, language);
}

/** The bytes of a file; undefined if the file was changed or removed after it was chosen. */
const fileBytes = async (file: Blob) => {
  try {
    return new Uint8Array(await file.arrayBuffer());
  } catch {
    return undefined;
  }
};

async function readTextFile(
  bytes: Uint8Array,
  chosenEncoding?: string,
): Promise<FileReading | string> {
  const { recognizeEncoding } = await import('./encoding.ts');
  const encoding = chosenEncoding ?? recognizeEncoding(bytes);
  const text = new TextDecoder(encoding).decode(bytes);
  if (text.includes('\0')) return `This is not a text table. ${takeInstead}`;
  if (/^\s{0,100}<(?:!doctype|html|\?xml|table)/i.test(text))
    return `This is a web page or XML. ${takeInstead}`;
  const cells = readCells(text);
  if (typeof cells === 'string') return cells;
  const remarks = text.includes('\ufffd') ? [BROKEN_ENCODING_REMARK] : [];
  return { cells, encoding, remarks };
}

/** What the console says of a text that its encoding can't have written. */
export const BROKEN_ENCODING_REMARK =
  'Some characters can’t be read in this encoding. Choose another one.';
