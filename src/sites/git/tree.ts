import { limits } from '../../contract/task.ts';
import { DomainError } from '../../errors.ts';
import type { Tree, TreeEntry } from './repository.ts';
import { gitFailure } from './failure.ts';
import type { Clone } from './clone.ts';
import { listingBytes, readListing, tooManyPaths } from './listing.ts';
import type { Store } from './store.ts';

const symlink = '120000';
const submodule = '160000';

/**
 * Reads the files of a commit (or tree object) below the site's root. `id` must be here already. A small repository may
 * unfold to any size, because folders can share their contents: git lists folders too, so that whatever it walks
 * through counts, and ends early.
 * @throws DomainError GIT_FAILED if the commit or the folder is not there, or for names that git keeps for itself;
 * LIMIT_EXCEEDED over the clone's `siteLimits`
 */
export async function readTree({ store, root, siteLimits }: Clone, id: string, signal?: AbortSignal): Promise<Tree> {
  const args = ['ls-tree', '-r', '-t', '-z', '--long', '--full-tree', `${id}:${root}`];
  const result = await store.tryGit({ args, maxBytes: listingBytes(siteLimits), signal }).catch((error: unknown) => {
    throw error instanceof DomainError && error.code === 'LIMIT_EXCEEDED' ? tooManyPaths(siteLimits) : error;
  });
  if (result.code !== 0 && root !== '' && /Not a valid object name|not a tree object/i.test(result.stderr))
    throw new DomainError('GIT_FAILED', `Folder ${root} not found in the repository`);
  if (result.code !== 0) throw gitFailure('Reading the files of a commit', result);
  const entries = await readListing(result.stdout, siteLimits, signal);
  return { commit: id, entries, read: (path) => readText(store, entries.get(path), path) };
}

async function readText(store: Store, entry: TreeEntry | undefined, path: string): Promise<string> {
  if (!entry || entry.mode === submodule) throw new DomainError('NOT_FOUND', `File not found: ${path}`);
  if (entry.mode === symlink) throw new DomainError('PAGE_UNREADABLE', `${path} is a symbolic link`);
  if (entry.size > limits.fileBytes)
    throw new DomainError('LIMIT_EXCEEDED', `${path} is over ${limits.fileBytes / 1024 ** 2} MiB`);
  const bytes = await store.blobs.read(entry.id);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new DomainError('PAGE_UNREADABLE', `${path} is not UTF-8 text`);
  }
}
