import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Mutex } from 'async-mutex';
import { waitFor } from '../../waiting.ts';
import { createBackgroundWork } from './backgroundWork.ts';
import { createBatches, type Batches } from './batchedWork.ts';
import { gitFailure } from './failure.ts';
import type { Git, GitCommand } from './git.ts';
import { exists, makeRepository } from './makeRepository.ts';
import { createObjectReader, type FoundObject, type ObjectReader } from './objectReader.ts';
import { createSetRefs, type SetRefs } from './setRefs.ts';

/**
 * One site's bare repository on this machine, without its remote. Only this process uses its
 * folder.
 */
export interface Store {
  dir: string;
  objects: ObjectReader;
  /** `objects.find` in the repository, which is created if missing. */
  find(type: 'commit' | 'tree', name: string): Promise<FoundObject | null>;
  /**
   * Runs git in the repository, which is created if missing.
   * Throws GIT_FAILED unless the exit code is 0.
   */
  git(args: string[], options?: Omit<GitCommand, 'args' | 'dir'>): Promise<string>;
  /** As `git`, for commands whose exit code is an answer. */
  tryGit: Git['run'];
  /**
   * Runs work that writes, under the repository's lock, in the order of the calls. The signal also
   * ends the wait for the lock.
   */
  exclusive<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** As `exclusive`, in batches: waiting callers of the same kind share one run. */
  batched: Batches;
  setRefs: SetRefs;
  /**
   * Runs maintenance in the background. Work that must remove leftovers, and `remove`, stop it
   * first.
   */
  beside(work: (signal: AbortSignal) => Promise<void>, signal?: AbortSignal): Promise<void>;
  /**
   * Removes the repository from this machine. Later work waits for that, and creates it again.
   * @param mayRemove asked once no work that writes is under way
   * @returns whether it was removed
   */
  remove(mayRemove?: () => boolean): Promise<boolean>;
  /** How many times the repository was removed. */
  removals(): number;
  /** Runs work with a new temporary folder. */
  withFolder<T>(work: (folder: string) => Promise<T>): Promise<T>;
}

/**
 * Makes the store of one site.
 * @param options.git runs git
 * @param options.folder the folder of this machine's repositories
 * @param options.name names the repository
 * @param options.swept resolves when an earlier process's temporary files are removed
 */
export function createStore(options: {
  git: Git;
  folder: string;
  name: string;
  swept: Promise<void>;
}): Store {
  const { git, folder, name } = options;
  const [dir, temporary] = [join(folder, `${name}.git`), join(folder, 'tmp')];
  const mutex = new Mutex();
  const objects = createObjectReader(() => git.start(['cat-file', '--batch'], dir));
  let made: Promise<void> | undefined;
  let [free, removals] = [options.swept, 0];
  let [mayHoldLocks, maintenanceMayHoldLocks] = [true, false];
  const maintenance = createBackgroundWork(() => void (maintenanceMayHoldLocks = true));

  const ready = () =>
    (made ??= free
      .then(() => makeRepository(dir, temporary))
      .catch((error: unknown) => {
        made = undefined;
        throw error;
      }));

  const tryGit: Git['run'] = (command) => ready().then(() => git.run({ ...command, dir }));

  const find: Store['find'] = (type, name) => ready().then(() => objects.find(type, name));

  const run: Store['git'] = async (args, options = {}) => {
    const result = await tryGit({ ...options, args });
    if (result.code !== 0) throw gitFailure(`git ${args[0]}`, result);
    return result.stdout.toString();
  };

  const cleanUp = () =>
    maintenance.without(async () => {
      await removeLeftovers(dir);
      maintenanceMayHoldLocks = false;
    });

  const exclusive: Store['exclusive'] = async (work, signal) => {
    const release = await waitFor("the site's turn", acquire(mutex, signal));
    try {
      await ready();
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
    git: run,
    exclusive,
    batched: createBatches(exclusive),
    beside: (work, signal) => maintenance.run(work, signal),

    setRefs: createSetRefs({ find, git: run }),

    removals: () => removals,
    async remove(mayRemove = () => true) {
      const removeFolder = async () => {
        if (!mayRemove()) return false;
        const gone = withFolder(temporary, async (own) => {
          await objects.close();
          // a kill leaves a complete repository or none
          if (await exists(dir)) await rename(dir, join(own, 'gone'));
        });
        [made, free] = [undefined, gone.catch(() => undefined)];
        removals++;
        await gone;
        return true;
      };
      return mutex.runExclusive(() => maintenance.without(removeFolder));
    },

    withFolder: (work) => withFolder(temporary, work),
  };
}

export async function withFolder<T>(
  temporary: string,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  await mkdir(temporary, { recursive: true });
  const own = await mkdtemp(join(temporary, 'work-'));
  try {
    return await work(own);
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

async function acquire(mutex: Mutex, signal: AbortSignal | undefined): Promise<() => void> {
  signal?.throwIfAborted();
  const acquired = mutex.acquire();
  if (!signal) return acquired;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => {
    void acquired.then((release) => release());
    reject(signal.reason as Error);
  };
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([acquired, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/**
 * Removes leftovers of a killed git: locks, half-written packs and marks on packs. No other git may
 * write here meanwhile.
 */
async function removeLeftovers(dir: string): Promise<void> {
  const entriesIn = (folder: string, options = {}) =>
    readdir(join(dir, folder), { ...options, withFileTypes: true }).catch(() => []);
  const locks = [...(await entriesIn('.')), ...(await entriesIn('refs', { recursive: true }))];
  const packs = await entriesIn('objects/pack');
  const stale = [
    ...locks.filter(({ name }) => name.endsWith('.lock')),
    ...packs.filter(({ name }) => name.startsWith('tmp_') || name.endsWith('.keep')),
  ].filter((entry) => entry.isFile());
  await Promise.all(
    stale.map(({ parentPath, name }) => rm(join(parentPath, name), { force: true })),
  );
}
