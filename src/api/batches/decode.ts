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
  const text = (bytes: Buffer, stream: boolean) => {
    decoder ??= new TextDecoder(encodingOf(bytes), { fatal: true });
    try {
      return decoder.decode(bytes, { stream });
    } catch {
      const encoding = decoder.encoding === 'utf-8' ? 'UTF-8' : 'UTF-16';
      throw invalidInput(`Request body is not valid CSV: it is not ${encoding}`);
    }
  };
  for await (const bytes of inPairs(parts)) yield text(bytes, true);
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
