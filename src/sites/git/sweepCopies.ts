import { readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';

const remove = (path: string) => rm(path, { recursive: true, force: true });

/**
 * Removes what earlier processes left in the folder of the repositories when they were killed:
 * temporary files, and copies of sites that are not registered. Nobody makes a copy meanwhile: this
 * process waits for the end of it, and no other one has the data folder.
 * @param registered the ids of all sites. Where they can't be read, copies are left for a later
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
