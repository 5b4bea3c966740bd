import { readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';

const remove = (path: string) => rm(path, { recursive: true, force: true });

/**
 * Removes leftovers of killed processes from the folder of the repositories: temporary files, and
 * copies of unregistered sites. No copy is made meanwhile: this process waits for the end, and no
 * other process uses the data folder.
 * @param registered the ids of all sites. If they can't be read, the copies stay until a later
 *   start
 */
export async function sweep(folder: string, registered?: () => Promise<string[]>): Promise<void> {
  await remove(join(folder, 'tmp'));
  const copies = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.git'));
  const sites = copies.length > 0 ? await registered?.().catch(() => undefined) : undefined;
  if (!sites) return;
  const known = new Set(sites);
  for (const name of copies)
    if (!known.has(basename(name, '.git'))) await remove(join(folder, name));
}
