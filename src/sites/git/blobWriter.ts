import { Mutex, type Semaphore } from 'async-mutex';
import { checkObjectId } from './names.ts';
import type { Store } from './store.ts';

/**
 * Writes the bytes of a blob into a new file, without holding them in memory.
 * @throws DomainError GIT_FAILED; the signal's reason when that aborts it
 */
export type WriteBlob = (id: string, file: string, signal?: AbortSignal) => Promise<void>;

/** Lets git pass on a blob in parts where it is no delta: 4 MB of memory instead of the blob's size. */
const inParts = {
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'core.bigFileThreshold',
  GIT_CONFIG_VALUE_0: '1m',
};

/**
 * Writes one blob of a site at a time, so that no site takes more than one of the turns that all sites share.
 * @param turns how many blobs are written at once, over all sites
 */
export function createBlobWriter(store: Pick<Store, 'git'>, turns: Semaphore): WriteBlob {
  const turn = new Mutex();
  return (id, file, signal) =>
    turn.runExclusive(() =>
      turns.runExclusive(async () => {
        await store.git(['cat-file', 'blob', checkObjectId(id)], { output: file, env: inParts, signal });
      }),
    );
}
