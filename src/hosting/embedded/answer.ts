import { contentType } from 'mime-types';
import type { TreeEntry } from '../../sites/git/repository.ts';
import { isChanged, isMatched, readRange } from './conditions.ts';

export interface Answer {
  status: number;
  headers: Record<string, string>;
  /** null: without content, or a HEAD request's. */
  body: Buffer | string | null;
}

/** The parts of a request that decide the answer. */
export interface Asked {
  method: string;
  /** A request header's value, '' without one. */
  header: (name: string) => string;
}

type ReadBlob = (id: string) => Promise<Buffer>;

/**
 * Answers with a file: 200, a part of it as 206, 304 if the client has it, 412 or 416 (RFC 9110, sections 13.2.2 and
 * 14). Its ETag is the id of its blob.
 */
export async function answerFile({ method, header }: Asked, file: TreeEntry, read: ReadBlob): Promise<Answer> {
  const { id, size } = file;
  const headers = { 'Content-Type': typeOf(file.path), ETag: `"${id}"`, 'Accept-Ranges': 'bytes' };
  if (header('If-Match') !== '' && !isMatched(header('If-Match'), id)) return answerText(412, 'The file has changed.');
  if (!isChanged(header('If-None-Match'), id)) return { status: 304, headers, body: null };

  const range = method === 'GET' ? readRange(header('Range'), header('If-Range'), file) : null;
  if (range === 'unsatisfiable')
    return answerText(416, 'There is no such range in the file.', { 'Content-Range': `bytes */${size}` });
  if (method === 'HEAD') return { status: 200, headers: { ...headers, 'Content-Length': String(size) }, body: null };
  const content = await read(id);
  if (range === null) return { status: 200, headers, body: content };
  const { start, end } = range;
  const partHeaders = { ...headers, 'Content-Range': `bytes ${start}-${end}/${size}` };
  return { status: 206, headers: partHeaders, body: content.subarray(start, end + 1) };
}

/** A short plain text for people who open an address that has no page. */
export function answerText(status: number, text: string, headers: Record<string, string> = {}): Answer {
  return { status, headers: { 'Content-Type': 'text/plain; charset=utf-8', ...headers }, body: `${text}\n` };
}

export function typeOf(path: string): string {
  return contentType(path.split('/').at(-1) ?? '') || 'application/octet-stream';
}
