import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { listClones } from './cloneName.ts';

const removePath = (path: string) => rm(path, { recursive: true, force: true });

/**
 * Removes leftovers of killed processes from the folder of the repositories: temporary files, and
 * copies of unregistered sites, and of addresses that sites had before. No copy is made meanwhile:
 * this process waits for the end, and no other process uses the data folder.
 * @param registered the names of all sites' copies. If they can't be read, the copies stay until a
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
