import { LRUCache } from 'lru-cache';
import type { Repository } from '../../sites/git/repository.ts';

const CACHE_BYTES = 64 * 1024 * 1024;

/**
 * Keeps recently requested small files in memory, and reads a file once for all concurrent
 * requests.
 */
export function createBlobCache() {
  const cache = new LRUCache<string, Buffer, Pick<Repository, 'blob'>>({
    maxSize: CACHE_BYTES,
    sizeCalculation: (content) => content.length + 1,
    ignoreFetchAbort: true, // a read whose entry was evicted still answers
    fetchMethod: async (key, _stale, { context }) =>
      ownMemory(await context.blob(key.slice(key.indexOf(' ') + 1))),
  });

  return {
    /** The bytes of a site's file by the id of its blob. Throws as `Repository.blob` does. */
    async read(siteId: string, id: string, repository: Pick<Repository, 'blob'>): Promise<Buffer> {
      const content = await cache.fetch(`${siteId} ${id}`, { context: repository });
      return content ?? repository.blob(id);
    },
  };
}

/** Copies a small view of a large buffer, which the cache would otherwise keep in memory. */
function ownMemory(content: Buffer): Buffer {
  if (content.length >= content.buffer.byteLength / 2) return content;
  const own = Buffer.allocUnsafeSlow(content.length); // other allocations may share pooled memory
  content.copy(own);
  return own;
}
