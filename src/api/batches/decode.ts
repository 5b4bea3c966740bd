import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { invalidInput } from '../../errors.ts';

/** Byte order marks of what Excel calls Unicode text. */
const marks = { 'utf-16le': [0xff, 0xfe], 'utf-16be': [0xfe, 0xff] };

/**
 * Decodes a text part by part: by its byte order mark, which is left out, else as UTF-8.
 * @throws DomainError INVALID_INPUT at the first part that is wrong
 */
export async function* decode(parts: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  let lines = 0;
  // of a character whose other bytes are still to come
  let cut: Buffer = Buffer.alloc(0);
  const text = (bytes: Buffer, stream: boolean) => {
    decoder ??= new TextDecoder(encodingOf(bytes), { fatal: true });
    try {
      return decoder.decode(bytes, { stream });
    } catch {
      const wrong = lines + wrongLine(Buffer.concat([cut, bytes]));
      const problem = decoder.encoding === 'utf-8' ? `UTF-8 (line ${wrong})` : 'UTF-16';
      throw invalidInput(`Request body is not valid CSV: it is not ${problem}`);
    }
  };
  for await (const bytes of inPairs(parts)) {
    yield text(bytes, true);
    lines += newlinesIn(bytes);
    cut = cutIn(Buffer.concat([cut, bytes.subarray(-3)]));
  }
  yield text(Buffer.alloc(0), false);
}

/** Joins a first byte that comes alone to the next part: a byte order mark has two. */
async function* inPairs(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let first: Buffer | undefined = Buffer.alloc(0);
  for await (const part of parts) {
    const bytes: Buffer = first ? Buffer.concat([first, part]) : part;
    first = first && bytes.length < 2 ? bytes : undefined;
    if (!first) yield bytes;
  }
  if (first) yield first;
}

function encodingOf(bytes: Buffer): string {
  const begins = (mark: number[]) => mark.every((byte, at) => bytes[at] === byte);
  const [encoding = 'utf-8'] = Object.entries(marks).find(([, mark]) => begins(mark)) ?? [];
  return encoding;
}

function newlinesIn(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(0x0a); at !== -1; at = bytes.indexOf(0x0a, at + 1)) count++;
  return count;
}

/** The bytes at the end that begin a character in UTF-8, and do not end it. */
function cutIn(bytes: Buffer): Buffer {
  const begin = bytes.findLastIndex((byte) => byte >= 0xc0);
  return begin === -1 || isUtf8(bytes.subarray(begin))
    ? bytes.subarray(0, 0)
    : bytes.subarray(begin);
}

/** The number of the first line that is not UTF-8. */
function wrongLine(bytes: Buffer): number {
  let line = 1;
  for (let from = 0; from < bytes.length; line++) {
    const end = bytes.indexOf(0x0a, from) + 1 || bytes.length;
    if (!isUtf8(bytes.subarray(from, end))) break;
    from = end;
  }
  return line;
}
