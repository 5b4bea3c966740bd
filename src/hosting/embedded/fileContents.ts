import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import type { GitRepository, TreeEntry } from '../../sites/git/repository.ts';
import { createSiteBudget } from './siteBudget.ts';
import type { ByteRange } from './requestConditions.ts';
import type { DiskCopies } from './diskCopies.ts';
import { copyToOwnMemory } from '../../copyToOwnMemory.ts';

/** Larger files are streamed from a copy on disk. */
const SMALL_BYTES = 1024 ** 2;
/** Memory for answers that are being sent. */
const SENDING_BYTES = 256 * 1024 ** 2;
/**
 * What a stream buffers for a stalled reader: one chunk in the socket's queue, and the next one.
 */
const STREAM_BYTES = 128 * 1024;

export interface ContentRequest {
  siteId: string;
  file: Pick<TreeEntry, 'id' | 'size'>;
  repository: Pick<GitRepository, 'blob' | 'writeBlob'>;
}

/**
 * Reads contents of sites' files: small ones into memory, large ones as streams. The memory for
 * answers that are being sent is shared between sites.
 */
export function createFileContents(copies: Pick<DiskCopies, 'open'>) {
  const budget = createSiteBudget(SENDING_BYTES);
  const blobs = createBlobCache();
  /** Contents that are being sent. They are not read again even if the cache has evicted them. */
  const sending = new Map<string, Promise<Buffer>>();

  function readOnce(thing: string, { siteId, file, repository }: ContentRequest): Promise<Buffer> {
    const content = sending.get(thing) ?? blobs.read(siteId, file.id, repository);
    sending.set(thing, content);
    content.catch(() => sending.delete(thing));
    return content;
  }

  /**
   * @param range the part to read, null for the whole file
   * Reads a file or a part of it.
   * @param endSignal aborted when the answer is sent or its client disconnected; frees the memory
   * @throws DomainError UNAVAILABLE over the site's share; the reason of an aborted `endSignal`;
   *   what `GitRepository` throws
   */
  return async function readContent(
    contentRequest: ContentRequest,
    range: ByteRange | null,
    endSignal: AbortSignal,
  ): Promise<Buffer | Readable> {
    const { siteId, file } = contentRequest;
    const { start, end: lastByte } = range ?? { start: 0, end: file.size - 1 };
    if (file.size <= SMALL_BYTES) {
      const thing = `${siteId} ${file.id}`;
      budget.take({ siteId, thing, bytes: file.size }, endSignal, () => sending.delete(thing));
      return (await readOnce(thing, contentRequest)).subarray(start, lastByte + 1);
    }
    budget.take({ siteId, thing: Symbol(), bytes: STREAM_BYTES }, endSignal);
    return createReadStream(await copies.open(contentRequest, endSignal), { start, end: lastByte });
  };
}

const CACHE_BYTES = 64 * 1024 * 1024;

/**
 * Keeps recently requested small files in memory, and reads a file once for all concurrent
 * requests.
 */
export function createBlobCache() {
  const cache = new LRUCache<string, Buffer, Pick<GitRepository, 'blob'>>({
    maxSize: CACHE_BYTES,
    sizeCalculation: (content) => content.length + 1,
    ignoreFetchAbort: true, // a read whose entry was evicted still answers
    fetchMethod: async (key, _stale, { context }) =>
      copyToOwnMemory(await context.blob(key.slice(key.indexOf(' ') + 1))),
  });

  return {
    /** The bytes of a site's file by the id of its blob. Throws as `GitRepository.blob` does. */
    async read(
      siteId: string,
      id: string,
      repository: Pick<GitRepository, 'blob'>,
    ): Promise<Buffer> {
      const content = await cache.fetch(`${siteId} ${id}`, { context: repository });
      return content ?? repository.blob(id);
    },
  };
}
