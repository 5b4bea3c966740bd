import type { TreeEntry } from '../../sites/git/repository.ts';

/** First and last byte of a part, both included. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * The part of a file that a request asks for (RFC 9110, sections 13.1.5 and 14.2). Several ranges,
 * other units and malformed ranges count as no range.
 * @param range the `Range` header, '' without one
 * @param ifRange the `If-Range` header. Unless it is '' or the file's ETag, the range is ignored;
 *   files have no dates to compare
 * @returns null for the whole file
 */
export function readRange(
  range: string,
  ifRange: string,
  { id, size }: Pick<TreeEntry, 'id' | 'size'>,
): ByteRange | 'unsatisfiable' | null {
  const [, firstByte, lastByte] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(range) ?? [];
  if (firstByte === undefined || lastByte === undefined || firstByte + lastByte === '') return null;
  if (ifRange !== '' && ifRange.trim() !== `"${id}"`) return null;
  if (firstByte !== '' && lastByte !== '' && Number(lastByte) < Number(firstByte)) return null;
  const start = firstByte === '' ? Math.max(size - Number(lastByte), 0) : Number(firstByte);
  const end = firstByte === '' || lastByte === '' ? size - 1 : Math.min(Number(lastByte), size - 1);
  return start > end ? 'unsatisfiable' : { start, end };
}

/**
 * Whether `If-None-Match` asks for the file: '' or no tag of it in the list (RFC 9110, section
 * 13.1.2, weak comparison).
 */
export function isModifiedSince(ifNoneMatch: string, id: string): boolean {
  return (
    ifNoneMatch === '' ||
    !etagsIn(ifNoneMatch).some((tag) => tag === '*' || tag.replace(/^W\//, '') === `"${id}"`)
  );
}

const etagsIn = (list: string) => list.split(',').map((tag) => tag.trim());
