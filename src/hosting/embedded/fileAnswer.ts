import type { Readable } from 'node:stream';
import { contentType } from 'mime-types';
import { limits } from '../../contract/task.ts';
import { isLfsPointer, mayBePointer } from '../../sites/git/trees/lfsPointer.ts';
import type { TreeEntry } from '../../sites/git/repository.ts';
import { type ByteRange, isModifiedSince, readRange } from './requestConditions.ts';

type AnswerBody = Buffer | Readable;

export interface FileAnswer {
  status: number;
  headers: Record<string, string>;
  /** null: without content, or a HEAD request's. */
  body: AnswerBody | string | null;
}

/** The parts of a request that decide the answer. */
export interface FileRequest {
  method: string;
  /** A request header's value, '' without one. */
  header: (name: string) => string;
}

/** What readers see in place of a file over the limit. */
export const LARGE_FILE_TEXT = `Files larger than ${limits.fileBytes / 1024 ** 2} MiB are not served.`;

/** Reads a part of a file; null: all of it. */
export type FileReader = (file: TreeEntry, range: ByteRange | null) => Promise<AnswerBody>;

/**
 * Answers with a file: 200, a part of it as 206, 304 if the client has it, or 416 (RFC 9110,
 * sections 13.2.2 and 14). Its ETag is the id of its blob. The answer is 403 for a file over the
 * limit, because a repetition would not help, and 404 if the repository has only a pointer of Git
 * LFS in place of the file.
 */
export async function answerFile(
  { method, header }: FileRequest,
  file: TreeEntry,
  readFile: FileReader,
): Promise<FileAnswer> {
  const { id, size } = file;
  if (!isServable(file)) return answerText(403, LARGE_FILE_TEXT);
  if (mayBePointer(file) && isLfsPointer((await readFile(file, null)) as Buffer))
    return answerText(404, 'The repository has only a pointer of Git LFS in place of this file.');
  const headers = {
    'Content-Type': contentTypeOf(file.path),
    ETag: `"${id}"`,
    'Accept-Ranges': 'bytes',
  };
  if (!isModifiedSince(header('If-None-Match'), id)) return { status: 304, headers, body: null };

  const range = method === 'GET' ? readRange(header('Range'), header('If-Range'), file) : null;
  if (range === 'unsatisfiable')
    return answerText(416, 'The requested range is not in the file.', {
      'Content-Range': `bytes */${size}`,
    });
  if (range === null) return answerWhole({ method, status: 200 }, { file, headers }, readFile);
  const { start, end } = range;
  const partHeaders = {
    'Content-Range': `bytes ${start}-${end}/${size}`,
    'Content-Length': String(end - start + 1),
  };
  return {
    status: 206,
    headers: { ...headers, ...partHeaders },
    body: await readFile(file, range),
  };
}

/** Answers 404 with the site's own page for that, or with a short text. */
export async function answerNotFound(
  method: string,
  page: TreeEntry | undefined,
  readFile: FileReader,
): Promise<FileAnswer> {
  if (page === undefined || !isServable(page))
    return answerText(404, 'There is no page at this address.');
  const headers = { 'Content-Type': contentTypeOf(page.path) };
  return answerWhole({ method, status: 404 }, { file: page, headers }, readFile);
}

async function answerWhole(
  { method, status }: { method: string; status: number },
  { file, headers }: { file: TreeEntry; headers: Record<string, string> },
  readFile: FileReader,
): Promise<FileAnswer> {
  const body = method === 'HEAD' ? '' : await readFile(file, null);
  return { status, headers: { ...headers, 'Content-Length': String(file.size) }, body };
}

const isServable = ({ size }: TreeEntry) => size <= limits.fileBytes;

/** A plain text for people, if there is no file to send. */
export function answerText(
  status: number,
  text: string,
  headers: Record<string, string> = {},
): FileAnswer {
  return {
    status,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', ...headers },
    body: `${text}\n`,
  };
}

function contentTypeOf(path: string): string {
  return contentType(path.split('/').at(-1) ?? '') || 'application/octet-stream';
}
