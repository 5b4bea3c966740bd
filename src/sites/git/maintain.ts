import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { gitFailure } from './failure.ts';
import type { Store } from './store.ts';

/** From so many on, git is slower for them, and puts them together. */
const PACKS = 20;
const LOOSE_OBJECTS = 2_000;
const TIMEOUT_MS = 60 * 60_000;

/**
 * Puts the packs, loose objects and refs of a copy together, writes its commit graph, and removes
 * objects that nothing has led to for two weeks. Where there are few, it does nothing. It runs
 * without the store's lock: git allows readers and writers beside it. Those that must clean up
 * after a killed git end it first.
 * @param onDone is told when it did something
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
