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
  const lockPaths = await findLocks(join(dataDir, 'demo', 'site.git'));
  if (lockPaths.length === 0) return;
  const earlierIdentities = await Promise.all(lockPaths.map(fileIdentity));
  await delay(SETTLED_MS);
  await Promise.all(
    lockPaths.map(async (path, i) => {
      const identity = await fileIdentity(path);
      if (identity !== null && identity === earlierIdentities[i]) await rm(path, { force: true });
    }),
  );
}

async function findLocks(repository: string): Promise<string[]> {
  const topFiles = await readdir(repository).catch(() => []);
  const refFiles = await readdir(join(repository, 'refs'), { recursive: true }).catch(() => []);
  return [...topFiles, ...refFiles.map((name) => join('refs', name))]
    .filter((name) => name.endsWith('.lock'))
    .map((name) => join(repository, name));
}

async function fileIdentity(path: string): Promise<string | null> {
  const fileStats = await stat(path).catch(() => null);
  return fileStats && `${fileStats.ino} ${fileStats.mtimeMs}`;
}
