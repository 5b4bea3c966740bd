import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DomainError } from '../../errors.ts';
import { waitFor } from '../../waiting.ts';
import type { Store } from './store.ts';

/**
 * From which address each copy here came: what one repository has must never get to another one.
 */
export interface Origins {
  /**
   * The same functions, each call of which first lets a copy go that came from another address:
   * what a task began there is gone then.
   */
  keepApart<T extends object>(site: Place, functions: T): T;
  /**
   * Called before git asks a remote, for which the copy must still be that one's.
   * @throws DomainError GIT_FAILED, retryable, where the copy is another one's by now
   */
  claim(site: Place): Promise<void>;
  /** Forgets a copy that nobody will use again. */
  forget(siteId: string): void;
}

interface Place {
  siteId: string;
  url: string;
}

type Call = (...args: unknown[]) => unknown;

/** In a copy's folder: the address. */
const FILE = 'agent-tasks-origin';

/**
 * @param options.dirOf the folder of a site's copy
 * @param options.withFolder for what is moved to a copy when it is whole
 * @param options.remove takes a copy off this machine
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
    keepApart(site, functions) {
      const apart =
        (call: Call) =>
        (...args: unknown[]) =>
          waitFor("the site's turn", settle(site)).then(() => call(...args));
      const calls = Object.entries(functions).map(([name, call]) => [name, apart(call as Call)]);
      return Object.fromEntries(calls) as typeof functions;
    },
    async claim({ siteId, url }) {
      const check = () => {
        if ((known.get(siteId)?.url ?? url) !== url) throw moved();
      };
      check();
      const dir = dirOf(siteId);
      if (!existsSync(dir) || (await read(join(dir, FILE)))) return;
      await withFolder((folder) => writeWhole(join(folder, FILE), url, join(dir, FILE)));
      check(); // another address may have found the copy before it had one
    },
  };
}

/** Whether all of a copy came from this address; one that is not there, too. */
async function isFrom(dir: string, url: string): Promise<boolean> {
  if (!existsSync(dir)) return true;
  return (await read(join(dir, FILE))) === url;
}

/** A kill, or a full disk, leaves no part of it. */
async function writeWhole(beside: string, text: string, file: string): Promise<void> {
  await writeFile(beside, text);
  await rename(beside, file);
}

const read = (file: string) => readFile(file, 'utf8').catch(() => undefined);

const moved = () =>
  new DomainError('GIT_FAILED', 'The address of the repository was changed meanwhile', {
    retryable: true,
  });
