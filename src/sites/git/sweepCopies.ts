import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { copiesIn } from './copyName.ts';

const remove = (path: string) => rm(path, { recursive: true, force: true });

/**
 * Removes leftovers of killed processes from the folder of the repositories: temporary files, and
 * copies of unregistered sites, and of addresses that sites had before. No copy is made meanwhile:
 * this process waits for the end, and no other process uses the data folder.
 * @param registered the names of all sites' copies. If they can't be read, the copies stay until a
 *   later start
 */
export async function sweep(folder: string, registered?: () => Promise<string[]>): Promise<void> {
  await remove(join(folder, 'tmp'));
  const copies = await copiesIn(folder);
  const sites = copies.length > 0 ? await registered?.().catch(() => undefined) : undefined;
  if (!sites) return;
  const known = new Set(sites);
  for (const name of copies) if (!known.has(name)) await remove(join(folder, `${name}.git`));
}
