import type { FairQueue } from '../../../fairQueue.ts';
import { checkObjectId } from '../refNames.ts';
import type { CloneStore } from './cloneStore.ts';

/**
 * Writes the bytes of a blob into a new file, without holding them in memory.
 * @throws DomainError GIT_FAILED; the signal's reason when that aborts it
 */
export type BlobWriter = (id: string, file: string, signal?: AbortSignal) => Promise<void>;

/**
 * Makes git stream a blob that is not stored as a delta: 4 MB of memory instead of the blob's size.
 */
const streamingEnv = {
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'core.bigFileThreshold',
  GIT_CONFIG_VALUE_0: '1m',
};

/**
 * Makes the function that writes blobs of one site into files.
 * @param queue limits how many blobs of all sites are written at once. Its callers are site ids
 */
export function createBlobWriter(
  store: Pick<CloneStore, 'git'>,
  siteId: string,
  queue: FairQueue,
): BlobWriter {
  return (id, file, signal) => {
    const writeOutput = () =>
      store.git(['cat-file', 'blob', checkObjectId(id)], {
        output: file,
        env: streamingEnv,
        signal,
      });
    return queue.run(siteId, async () => void (await writeOutput()), signal);
  };
}
