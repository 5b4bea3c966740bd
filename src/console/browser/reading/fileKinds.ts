/** The cells of a file, and how they were read. */
export interface FileReading {
  cells: string[][];
  /** For a text file: the label of its encoding. */
  encoding?: string;
  /** For a workbook: which sheet was read, as words after the file's name. */
  sheet?: string;
  /** What the person should check. */
  remarks: string[];
}

type ReadableKind = 'text' | 'zip';

const fileStarts: [bytes: number[], said: string][] = [
  [[0x25, 0x50, 0x44, 0x46], 'This is a PDF.'],
  [[0x89, 0x50, 0x4e, 0x47], 'This is an image.'],
  [[0xff, 0xd8, 0xff], 'This is an image.'],
  [[0x47, 0x49, 0x46, 0x38], 'This is an image.'],
  [[0x52, 0x49, 0x46, 0x46], 'This is an image or a sound.'],
  [[0x1f, 0x8b], 'This is a compressed archive.'],
  [[0x37, 0x7a, 0xbc, 0xaf], 'This is a compressed archive.'],
  [[0x52, 0x61, 0x72, 0x21], 'This is a compressed archive.'],
  [[0x50, 0x4b, 0x05, 0x06], 'This is an empty archive.'],
];
const compoundStart = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
const zipStart = [0x50, 0x4b, 0x03, 0x04];

/** What to do instead if a file is not a table. */
export const takeInstead = 'Save the table as .xlsx or CSV, or copy its cells and paste them.';

const startsWithBytes = (bytes: Uint8Array, expectedStart: number[]) =>
  expectedStart.every((expectedByte, index) => bytes[index] === expectedByte);

/**
 * Recognizes what a file is by its first bytes, whatever its name says.
 * @returns the kind, or a sentence that says why the file can't be read
 */
export function recognizeFile(bytes: Uint8Array): { kind: ReadableKind } | string {
  if (bytes.length === 0) return 'The file is empty.';
  if (startsWithBytes(bytes, zipStart)) return { kind: 'zip' };
  if (startsWithBytes(bytes, compoundStart))
    return isEncrypted(bytes)
      ? `The workbook is protected by a password. Save it without one. ${takeInstead}`
      : `This is an old Excel file (.xls) or a file of another program. ${takeInstead}`;
  const fileStart = fileStarts.find(([startBytes]) => startsWithBytes(bytes, startBytes));
  return fileStart ? `${fileStart[1]} ${takeInstead}` : { kind: 'text' };
}

/**
 * Whether a workbook has a password. Such a workbook is in a container of old Office files, with a
 * stream of this name in UTF-16.
 */
function isEncrypted(bytes: Uint8Array): boolean {
  const streamName = new TextEncoder().encode([...'EncryptedPackage'].join('\0'));
  for (
    let position = bytes.indexOf(streamName[0]!);
    position >= 0;
    position = bytes.indexOf(streamName[0]!, position + 1)
  )
    if (streamName.every((byte, index) => bytes[position + index] === byte)) return true;
  return false;
}
