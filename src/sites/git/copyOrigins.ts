import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DomainError } from '../../errors.ts';
import { waitFor } from '../../waiting.ts';
import type { Store } from './store.ts';
import { wrapCalls } from './wrapCalls.ts';

/**
 * Records the address that each copy was fetched from. Contents of one repository must never get
 * into another one.
 */
export interface Origins {
  /**
   * Wraps functions: each call first removes a copy that came from another address, with all
   * commits of tasks in it.
   */
  keepApart<T extends object>(site: Place, functions: T): T;
  /**
   * Records the copy's address. Must be called before git talks to a remote.
   * @throws DomainError GIT_FAILED, retryable, if the site's address changed meanwhile
   */
  claim(site: Place): Promise<void>;
  /** Frees the record of a copy that is not used again. */
  forget(siteId: string): void;
}

interface Place {
  siteId: string;
  url: string;
}

/** The file in a copy's folder that holds the address. */
const FILE = 'agent-tasks-origin';

/**
 * Creates the record of the copies' addresses.
 * @param options.dirOf the folder of a site's copy
 * @param options.withFolder makes a temporary folder for a file that is then moved into the copy
 * @param options.remove removes a copy from this machine
 */
export function createOrigins(options: {
  dirOf: (siteId: string) => string;
  withFolder: Store['withFolder'];
  remove: (siteId: string) => Promise<void>;
}): Origins {
  const { dirOf, withFolder, remove } = options;
  const known = new Map<string, { url: string; ready: Promise<void> }>();

  function settle({ siteId, url }: Place): Promise<void> {
    const before = known.get(siteId);
    if (before?.url === url) return before.ready;
    const ready = (before?.ready ?? Promise.resolve())
      .catch(() => undefined)
      .then(async () => {
        if (!(await isFrom(dirOf(siteId), url))) await remove(siteId);
      });
    const now = { url, ready };
    known.set(siteId, now);
    ready.catch(() => known.get(siteId) === now && known.delete(siteId));
    return ready;
  }

  return {
    forget: (siteId) => void known.delete(siteId),
    keepApart: (site, functions) =>
      wrapCalls(functions, (call) => async (...args) => {
        await waitFor("the site's turn", settle(site));
        return call(...args);
      }),
    async claim({ siteId, url }) {
      const check = () => {
        if ((known.get(siteId)?.url ?? url) !== url) throw moved();
      };
      check();
      const dir = dirOf(siteId);
      if (!existsSync(dir) || (await read(join(dir, FILE)))) return;
      await withFolder((folder) => writeWhole(join(folder, FILE), url, join(dir, FILE)));
      check(); // the site's address may have changed before the file existed
    },
  };
}

/** Whether a copy came from this address, or does not exist. */
async function isFrom(dir: string, url: string): Promise<boolean> {
  if (!existsSync(dir)) return true;
  return (await read(join(dir, FILE))) === url;
}

/** Writes a file completely or not at all, even if the process is killed or the disk is full. */
async function writeWhole(beside: string, text: string, file: string): Promise<void> {
  await writeFile(beside, text);
  await rename(beside, file);
}

const read = (file: string) => readFile(file, 'utf8').catch(() => undefined);

const moved = () =>
  new DomainError('GIT_FAILED', 'The address of the repository was changed meanwhile', {
    retryable: true,
  });
