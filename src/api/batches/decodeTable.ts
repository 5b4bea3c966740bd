import { TextDecoder } from 'node:util';
import { csvError, csvProblems } from './csvProblems.ts';

/** Byte order marks of what Excel calls Unicode text. */
const byteOrderMarks = { 'utf-16le': [0xff, 0xfe], 'utf-16be': [0xfe, 0xff] };

/**
 * Decodes the bytes of a CSV part by part: as UTF-16 if they begin with its byte order mark, which
 * is left out, otherwise as UTF-8.
 * @throws DomainError INVALID_INPUT at the first part that is not valid in this encoding
 */
export async function* decodeTable(parts: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  const decodeBytes = (bytes: Buffer, isStreaming: boolean) => {
    decoder ??= new TextDecoder(detectEncoding(bytes), { fatal: true });
    try {
      return decoder.decode(bytes, { stream: isStreaming });
    } catch {
      const encoding = decoder.encoding === 'utf-8' ? 'UTF-8' : 'UTF-16';
      throw csvError(csvProblems.encoding(encoding));
    }
  };
  for await (const bytes of joinFirstByte(parts)) yield decodeBytes(bytes, true);
  yield decodeBytes(Buffer.alloc(0), false);
}

/** Joins a single first byte with the next part, because a byte order mark has two bytes. */
async function* joinFirstByte(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let pendingBytes: Buffer | undefined = Buffer.alloc(0);
  for await (const bodyPart of parts) {
    const bytes: Buffer = pendingBytes ? Buffer.concat([pendingBytes, bodyPart]) : bodyPart;
    pendingBytes = pendingBytes && bytes.length < 2 ? bytes : undefined;
    if (!pendingBytes) yield bytes;
  }
  if (pendingBytes) yield pendingBytes;
}

function detectEncoding(bytes: Buffer): string {
  const startsWithMark = (mark: number[]) => mark.every((byte, index) => bytes[index] === byte);
  const [encoding = 'utf-8'] =
    Object.entries(byteOrderMarks).find(([, mark]) => startsWithMark(mark)) ?? [];
  return encoding;
}
