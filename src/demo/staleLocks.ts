import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { demoRepositories } from './demoRepository.ts';

/** Milliseconds after which a lock is stale, because git holds a lock only briefly. */
const SETTLED_MS = 2_000;

/**
 * Removes lock files that a killed git left in the repositories of the demo sites. No other code
 * does that, because these repositories are remotes for it. Call it before tasks run, in the
 * process that holds the data folder.
 */
export async function removeStaleLocks(dataDir: string): Promise<void> {
  const locks = demoRepositories.map((path) => findLocks(join(dataDir, path)));
  const lockPaths = (await Promise.all(locks)).flat();
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
