import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { gitFailure } from './failure.ts';
import type { Store } from './store.ts';

/** More than these slow git down. */
const PACKS = 20;
const LOOSE_OBJECTS = 2_000;
const TIMEOUT_MS = 60 * 60_000;

/**
 * Runs `git gc` where a copy has many packs or loose objects: packs them and the refs, writes the
 * commit graph, and removes objects that nothing has referred to for two weeks. Runs without the
 * store's lock, as git allows readers and writers beside it. A clean-up after a killed git stops it
 * first.
 * @param onDone called when it ran
 * @throws DomainError GIT_FAILED
 */
export async function maintain(
  store: Store,
  onDone: () => void,
  signal?: AbortSignal,
): Promise<void> {
  await store.beside(async (end) => {
    if (!(await hasMany(store.dir))) return;
    const result = await store.tryGit({
      args: ['gc', '--quiet'],
      timeout: TIMEOUT_MS,
      signal: end,
    });
    if (result.code !== 0) throw gitFailure('Maintaining a copy', result);
    onDone();
  }, signal);
}

async function hasMany(dir: string): Promise<boolean> {
  const namesIn = (folder: string) =>
    readdir(join(dir, 'objects', folder)).catch((): string[] => []);
  const packs = (await namesIn('pack')).filter((name) => name.endsWith('.pack'));
  // one of 256 folders, over which git spreads the objects by their ids
  return packs.length > PACKS || (await namesIn('17')).length * 256 > LOOSE_OBJECTS;
}
