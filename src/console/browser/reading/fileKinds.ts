/** The cells of a file, and how they were read. */
export interface Reading {
  cells: string[][];
  /** For a text file: the label of its encoding. */
  encoding?: string;
  /** For a workbook: the sheet, in words that follow the file's name. */
  sheet?: string;
  /** What the person should check. */
  remarks: string[];
}

type Kind = 'text' | 'zip';

const starts: [bytes: number[], said: string][] = [
  [[0x25, 0x50, 0x44, 0x46], 'This is a PDF.'],
  [[0x89, 0x50, 0x4e, 0x47], 'This is an image.'],
  [[0xff, 0xd8, 0xff], 'This is an image.'],
  [[0x47, 0x49, 0x46, 0x38], 'This is an image.'],
  [[0x52, 0x49, 0x46, 0x46], 'This is an image or a sound.'],
  [[0x1f, 0x8b], 'This is a packed file.'],
  [[0x37, 0x7a, 0xbc, 0xaf], 'This is a packed file.'],
  [[0x52, 0x61, 0x72, 0x21], 'This is a packed file.'],
  [[0x50, 0x4b, 0x05, 0x06], 'This is an empty archive.'],
];
const compound = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
const zip = [0x50, 0x4b, 0x03, 0x04];

/** What to do instead if a file is not a table. */
export const takeInstead = 'Save the table as .xlsx or CSV, or copy its cells and paste them.';

const begins = (bytes: Uint8Array, start: number[]) =>
  start.every((each, at) => bytes[at] === each);

/**
 * Recognizes what a file is by its first bytes, whatever its name says.
 * @returns the kind, or a sentence that says why the file can't be read
 */
export function kindOf(bytes: Uint8Array): { kind: Kind } | string {
  if (bytes.length === 0) return 'The file is empty.';
  if (begins(bytes, zip)) return { kind: 'zip' };
  if (begins(bytes, compound))
    return isEncrypted(bytes)
      ? `The workbook is protected by a password. Save it without one. ${takeInstead}`
      : `This is a file of an old Excel (.xls) or of another program. ${takeInstead}`;
  const found = starts.find(([start]) => begins(bytes, start));
  return found ? `${found[1]} ${takeInstead}` : { kind: 'text' };
}

/**
 * Whether a workbook has a password. Such a workbook is in a container of old Office files, with a
 * stream of this name in UTF-16.
 */
function isEncrypted(bytes: Uint8Array): boolean {
  const name = new TextEncoder().encode([...'EncryptedPackage'].join('\0'));
  for (let at = bytes.indexOf(name[0]!); at >= 0; at = bytes.indexOf(name[0]!, at + 1))
    if (name.every((byte, index) => bytes[at + index] === byte)) return true;
  return false;
}
