import { LRUCache } from 'lru-cache';
import type { Repository } from '../../sites/repository.ts';

const CACHE_BYTES = 64 * 1024 * 1024;
const ENTRY_BYTES = 4 * 1024 * 1024;

/** Keeps small files in memory, and reads a file once for all who ask for it at the same time. */
export function createBlobCache() {
  const cache = new LRUCache<string, Buffer, Pick<Repository, 'blob'>>({
    maxSize: CACHE_BYTES,
    maxEntrySize: ENTRY_BYTES,
    sizeCalculation: (content) => content.length + 1,
    ignoreFetchAbort: true, // a reading whose place another one took still answers
    fetchMethod: async (key, _stale, { context }) => ownMemory(await context.blob(key.slice(key.indexOf(' ') + 1))),
  });

  return {
    /** The bytes of a site's file by the id of its blob. Throws as `Repository.blob` does. */
    async read(siteId: string, id: string, repository: Pick<Repository, 'blob'>): Promise<Buffer> {
      const content = await cache.fetch(`${siteId} ${id}`, { context: repository });
      return content ?? repository.blob(id);
    },
  };
}

/** A small file may come as a view of a large buffer, which it would keep in memory. */
function ownMemory(content: Buffer): Buffer {
  return content.length > ENTRY_BYTES ? content : Buffer.copyBytesFrom(content);
}
