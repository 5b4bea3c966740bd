import { LRUCache } from 'lru-cache';
import type { HeldCommit } from '../../contract/site.ts';
import type { Repository, Tree } from '../../sites/git/repository.ts';

const FAILURE_MS = 5_000;

/**
 * Reads a commit's files once for all concurrent requests, and keeps a failure for 5 s, so that visitors' requests do
 * not each ask a remote that is down. The repository caches successful reads.
 */
export function createTreeReader() {
  const readings = new LRUCache<string, Promise<Tree>>({ max: 1_000, ttl: FAILURE_MS });

  return {
    /** Throws as `Repository.tree` does. */
    read(key: string, repository: Pick<Repository, 'tree'>, held: HeldCommit): Promise<Tree> {
      const known = readings.get(key);
      if (known) return known;
      const reading = repository.tree(held);
      readings.set(key, reading);
      reading.then(
        () => readings.delete(key),
        () => undefined,
      );
      return reading;
    },
  };
}
