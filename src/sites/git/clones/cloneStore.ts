import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Mutex } from 'async-mutex';
import { waitFor } from '../../../waitCounters.ts';
import { createBackgroundWork } from './backgroundWork.ts';
import { createCoalescer, type WorkCoalescer } from './coalescedWork.ts';
import { gitFailure } from '../command/gitFailure.ts';
import type { GitRunner, GitCommand } from '../command/git.ts';
import { pathExists, createBareRepository } from './createBareRepository.ts';
import { createObjectReader, type FoundObject, type ObjectReader } from './objectReader.ts';
import { createSetRefs, type RefSetter } from './setRefs.ts';

/**
 * A clone: one site's bare repository on this machine. Only this process uses its folder. Reads run
 * at any time, work that writes runs under the clone's lock (`exclusive`), and maintenance runs in
 * the background (`beside`). The store never talks to the remote itself.
 */
export interface CloneStore {
  dir: string;
  objects: ObjectReader;
  /** `objects.find` in the repository, which is created if missing. */
  find(type: 'commit' | 'tree', name: string): Promise<FoundObject | null>;
  /**
   * Runs git in the repository, which is created if missing.
   * Throws GIT_FAILED unless the exit code is 0.
   */
  git(args: string[], options?: Omit<GitCommand, 'args' | 'dir'>): Promise<string>;
  /** Like `git`, but returns the exit code instead of throwing. */
  tryGit: GitRunner['run'];
  /**
   * Runs work that writes, under the repository's lock, in the order of the calls. The signal also
   * ends the wait for the lock.
   */
  exclusive<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Like `exclusive`, but waiting callers of the same kind share one run. */
  batched: WorkCoalescer;
  setRefs: RefSetter;
  /**
   * Runs maintenance without the lock. It is stopped before the clone is removed, and before the
   * leftovers of a killed git are removed.
   */
  beside(work: (signal: AbortSignal) => Promise<void>, signal?: AbortSignal): Promise<void>;
  /**
   * Removes the repository from this machine. Later work waits for that, and creates it again.
   * @param mayRemove called once no work that writes is running
   * @returns whether it was removed
   */
  remove(mayRemove?: () => boolean): Promise<boolean>;
  /** How many times the repository was removed. */
  removals(): number;
  /** Runs work with a new temporary folder. */
  withFolder<T>(work: (folder: string) => Promise<T>): Promise<T>;
}

/**
 * Opens a clone. Its folder is created at the first use.
 * @param options.git runs git
 * @param options.folder the folder of this machine's repositories
 * @param options.name names the repository
 * @param options.folderReady resolves when an earlier process's temporary files are removed
 */
export function createCloneStore(options: {
  git: GitRunner;
  folder: string;
  name: string;
  folderReady: Promise<void>;
}): CloneStore {
  const { git, folder, name } = options;
  const [dir, temporary] = [join(folder, `${name}.git`), join(folder, 'tmp')];
  const mutex = new Mutex();
  const objects = createObjectReader(() => git.start(['cat-file', '--batch'], dir));
  let creation: Promise<void> | undefined;
  let [folderFree, removals] = [options.folderReady, 0];
  let [mayHoldLocks, maintenanceMayHoldLocks] = [true, false];
  const maintenance = createBackgroundWork(() => void (maintenanceMayHoldLocks = true));

  const ensureRepository = () =>
    (creation ??= folderFree
      .then(() => createBareRepository(dir, temporary))
      .catch((error: unknown) => {
        creation = undefined;
        throw error;
      }));

  const tryGit: GitRunner['run'] = (command) =>
    ensureRepository().then(() => git.run({ ...command, dir }));

  const find: CloneStore['find'] = (type, name) =>
    ensureRepository().then(() => objects.find(type, name));

  const runGit: CloneStore['git'] = async (args, options = {}) => {
    const result = await tryGit({ ...options, args });
    if (result.code !== 0) throw gitFailure(`git ${args[0]}`, result);
    return result.stdout.toString();
  };

  const cleanUp = () =>
    maintenance.without(async () => {
      await removeLeftovers(dir);
      maintenanceMayHoldLocks = false;
    });

  const exclusive: CloneStore['exclusive'] = async (work, signal) => {
    const release = await waitFor("the site's turn", acquireMutex(mutex, signal));
    try {
      await ensureRepository();
      if (mayHoldLocks || maintenanceMayHoldLocks) await cleanUp();
      mayHoldLocks = true;
      const result = await work();
      mayHoldLocks = false;
      return result;
    } finally {
      release();
    }
  };

  return {
    dir,
    objects,
    find,
    tryGit,
    git: runGit,
    exclusive,
    batched: createCoalescer(exclusive),
    beside: (work, signal) => maintenance.run(work, signal),

    setRefs: createSetRefs({ find, git: runGit }),

    removals: () => removals,
    async remove(mayRemove = () => true) {
      const removeFolder = async () => {
        if (!mayRemove()) return false;
        const removal = withTemporaryFolder(temporary, async (workFolder) => {
          await objects.close();
          // a kill leaves a complete repository or none
          if (await pathExists(dir)) await rename(dir, join(workFolder, 'gone'));
        });
        [creation, folderFree] = [undefined, removal.catch(() => undefined)];
        removals++;
        await removal;
        return true;
      };
      return mutex.runExclusive(() => maintenance.without(removeFolder));
    },

    withFolder: (work) => withTemporaryFolder(temporary, work),
  };
}

/** Runs work with a new folder in `temporary`, and removes this folder afterwards. */
export async function withTemporaryFolder<T>(
  temporary: string,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  await mkdir(temporary, { recursive: true });
  const workFolder = await mkdtemp(join(temporary, 'work-'));
  try {
    return await work(workFolder);
  } finally {
    await rm(workFolder, { recursive: true, force: true });
  }
}

async function acquireMutex(mutex: Mutex, signal: AbortSignal | undefined): Promise<() => void> {
  signal?.throwIfAborted();
  const acquisition = mutex.acquire();
  if (!signal) return acquisition;
  const { promise: abortPromise, reject } = Promise.withResolvers<never>();
  const onAbort = () => {
    void acquisition.then((release) => release());
    reject(signal.reason as Error);
  };
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([acquisition, abortPromise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/**
 * Removes leftovers of a killed git: locks, half-written packs and marks on packs. No other git may
 * write here meanwhile.
 */
async function removeLeftovers(dir: string): Promise<void> {
  const listEntries = (folder: string, options = {}) =>
    readdir(join(dir, folder), { ...options, withFileTypes: true }).catch(() => []);
  const locks = [...(await listEntries('.')), ...(await listEntries('refs', { recursive: true }))];
  const packs = await listEntries('objects/pack');
  const staleFiles = [
    ...locks.filter(({ name }) => name.endsWith('.lock')),
    ...packs.filter(({ name }) => name.startsWith('tmp_') || name.endsWith('.keep')),
  ].filter((entry) => entry.isFile());
  await Promise.all(
    staleFiles.map(({ parentPath, name }) => rm(join(parentPath, name), { force: true })),
  );
}
