import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { gitFailure } from '../command/gitFailure.ts';
import type { CloneStore } from './cloneStore.ts';

/** Above these numbers, git gets slow. */
const PACKS = 20;
const LOOSE_OBJECTS = 2_000;
const TIMEOUT_MS = 60 * 60_000;

/**
 * Runs `git gc` if a clone has many packs or loose objects. It packs objects and refs, writes the
 * commit graph, and removes objects that were unreferenced for two weeks. It needs no lock, because
 * git allows readers and writers during gc. `CloneStore.beside` says what stops it.
 * @param onDone called after gc ran
 * @throws DomainError GIT_FAILED
 */
export async function maintainClone(
  store: CloneStore,
  onDone: () => void,
  signal?: AbortSignal,
): Promise<void> {
  await store.beside(async (endSignal) => {
    if (!(await hasMany(store.dir))) return;
    const result = await store.tryGit({
      args: ['gc', '--quiet'],
      timeout: TIMEOUT_MS,
      signal: endSignal,
    });
    if (result.code !== 0) throw gitFailure('Maintaining a clone', result);
    onDone();
  }, signal);
}

async function hasMany(dir: string): Promise<boolean> {
  const listNames = (folder: string) =>
    readdir(join(dir, 'objects', folder)).catch((): string[] => []);
  const packs = (await listNames('pack')).filter((name) => name.endsWith('.pack'));
  // git spreads objects over 256 folders by their ids: one folder is a sample
  return packs.length > PACKS || (await listNames('17')).length * 256 > LOOSE_OBJECTS;
}
