import { LRUCache } from 'lru-cache';
import { ownMemory } from '../../ownMemory.ts';
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
