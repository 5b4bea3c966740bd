import { LRUCache } from 'lru-cache';
import type { HeldCommit } from '../../contract/site.ts';
import { createSingleFlight } from '../../singleFlight.ts';
import type { Repository, Tree } from '../../sites/git/repository.ts';

const FAILURE_MS = 5_000;

/**
 * Reads a commit's files once for all concurrent requests, and keeps a failure for 5 s, so that
 * visitors' requests do not each ask a remote that is down. The repository caches successful reads.
 */
export function createTreeReader() {
  const failures = new LRUCache<string, { error: unknown }>({ max: 1_000, ttl: FAILURE_MS });
  const once = createSingleFlight<Tree>();

  return {
    /**
     * Throws as `Repository.tree` does.
     * @param signal ends the wait; the read ends with the last caller that waits
     */
    read(
      key: string,
      repository: Pick<Repository, 'tree'>,
      held: HeldCommit,
      signal?: AbortSignal,
    ): Promise<Tree> {
      const readTree = async (end: AbortSignal) => {
        const failure = failures.get(key);
        if (failure) throw failure.error;
        try {
          return await repository.tree(held, end);
        } catch (error) {
          if (!end.aborted) failures.set(key, { error });
          throw error;
        }
      };
      return once(key, readTree, signal);
    },
  };
}
