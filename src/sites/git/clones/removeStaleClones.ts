import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { listClones } from './cloneName.ts';

/** Tries again if the folder is not empty: a git of a killed process may write a moment longer. */
const removePath = (path: string) =>
  rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });

/**
 * Removes leftovers of killed processes from the folder of the clones: temporary files, and clones
 * of unregistered sites or of repository URLs that sites had before. No clone is made meanwhile:
 * this process waits for the end, and no other process uses the data folder.
 * @param registered the names of all sites' clones. If they can't be read, all clones stay until a
 *   later start
 */
export async function removeStaleClones(
  folder: string,
  registered?: () => Promise<string[]>,
): Promise<void> {
  await removePath(join(folder, 'tmp'));
  const clones = await listClones(folder);
  const siteNames = clones.length > 0 ? await registered?.().catch(() => undefined) : undefined;
  if (!siteNames) return;
  const registeredNames = new Set(siteNames);
  for (const name of clones)
    if (!registeredNames.has(name)) await removePath(join(folder, `${name}.git`));
}
