import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds. git holds a lock only briefly, so an older lock is stale. */
const SETTLED_MS = 2_000;

/**
 * Removes locks that a killed git left in the demo site's repository. To all other code it is a
 * remote, which nobody else maintains. Call it before tasks run, in the process that holds the data
 * folder.
 */
export async function removeStaleLocks(dataDir: string): Promise<void> {
  const found = await locksIn(join(dataDir, 'demo', 'site.git'));
  if (found.length === 0) return;
  const before = await Promise.all(found.map(identityOf));
  await delay(SETTLED_MS);
  await Promise.all(
    found.map(async (path, i) => {
      const identity = await identityOf(path);
      if (identity !== null && identity === before[i]) await rm(path, { force: true });
    }),
  );
}

async function locksIn(repository: string): Promise<string[]> {
  const top = await readdir(repository).catch(() => []);
  const refs = await readdir(join(repository, 'refs'), { recursive: true }).catch(() => []);
  return [...top, ...refs.map((name) => join('refs', name))]
    .filter((name) => name.endsWith('.lock'))
    .map((name) => join(repository, name));
}

async function identityOf(path: string): Promise<string | null> {
  const found = await stat(path).catch(() => null);
  return found && `${found.ino} ${found.mtimeMs}`;
}
