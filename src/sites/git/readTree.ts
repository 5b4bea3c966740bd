import { limits } from '../../contract/task.ts';
import { DomainError, hasCode } from '../../errors.ts';
import type { Tree, TreeEntry } from './repository.ts';
import { gitFailure } from './failure.ts';
import type { Clone, SiteLimits } from './clone.ts';
import { checkFiles, checkPathShape, listingBytes, readListing, tooManyPaths } from './listing.ts';
import { isLfsPointer } from './lfsPointer.ts';
import type { Store } from './store.ts';

const symlink = '120000';
const submodule = '160000';

/**
 * Reads the files of a commit (or tree object) below the site's root. A small repository may unfold
 * to any size, because folders can share contents. So git also lists folders: everything that it
 * visits counts towards the limits, and a listing over them ends early.
 * @param id must be here already
 * @throws DomainError GIT_FAILED if the commit or the folder does not exist, or for names that git
 *   reserves for itself; LIMIT_EXCEEDED over the clone's `siteLimits`
 */
export async function readTree(
  { store, root, siteLimits }: Clone,
  id: string,
  signal?: AbortSignal,
): Promise<Tree> {
  const args = ['ls-tree', '-r', '-t', '-z', '--long', '--full-tree', `${id}:${root}`];
  const result = await store
    .tryGit({ args, maxBytes: listingBytes(siteLimits), signal })
    .catch((error: unknown) => {
      throw hasCode(error, 'LIMIT_EXCEEDED') ? tooManyPaths(siteLimits) : error;
    });
  if (
    result.code !== 0 &&
    root !== '' &&
    /Not a valid object name|not a tree object/i.test(result.stderr)
  )
    throw new DomainError('GIT_FAILED', `Folder ${root} not found in the repository`, {
      details: { reason: 'folder' },
    });
  if (result.code !== 0) throw gitFailure('Reading the files of a commit', result);
  return treeOf(store, id, await readListing(result.stdout, siteLimits, signal));
}

/** As `readTree`, read once for all callers, and cached. */
export const readKnown = (clone: Clone, commit: string, signal?: AbortSignal): Promise<Tree> =>
  clone.trees.read(commit, (end) => readTree(clone, commit, end), signal);

/** The files of a commit, given its entries. */
export const treeOf = (store: Store, commit: string, entries: Tree['entries']): Tree => ({
  commit,
  entries,
  read: (path) => readText(store, entries.get(path), path),
});

/** A site's file in a commit. id null: the file was deleted. */
export interface ChangedEntry extends Omit<TreeEntry, 'id'> {
  id: string | null;
}

/**
 * A tree's entries with changes applied, in git's order.
 * @throws DomainError LIMIT_EXCEEDED
 */
export function changedTree(
  { entries }: Pick<Tree, 'entries'>,
  changes: ChangedEntry[],
  siteLimits: SiteLimits,
): Tree['entries'] {
  const changed = new Map(entries);
  const added: TreeEntry[] = [];
  for (const { id, ...entry } of changes) {
    if (id === null) changed.delete(entry.path);
    else if (changed.has(entry.path)) changed.set(entry.path, { ...entry, id });
    else added.push({ ...entry, id });
  }
  for (const { path } of added) checkPathShape(path, Buffer.byteLength(path), siteLimits);
  const all = added.length === 0 ? changed : inOrder([...changed.values()], added);
  checkFiles(all, siteLimits);
  return all;
}

/** Inserts new entries in the order of `ls-tree`: by the bytes of their paths. */
function inOrder(sorted: TreeEntry[], added: TreeEntry[]): Map<string, TreeEntry> {
  for (const entry of added) {
    const path = Buffer.from(entry.path);
    let [from, to] = [0, sorted.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (Buffer.compare(Buffer.from(sorted[middle]!.path), path) < 0) from = middle + 1;
      else to = middle;
    }
    sorted.splice(from, 0, entry);
  }
  return new Map(sorted.map((entry) => [entry.path, entry]));
}

async function readText(store: Store, entry: TreeEntry | undefined, path: string): Promise<string> {
  if (!entry || entry.mode === submodule)
    throw new DomainError('NOT_FOUND', `File not found: ${path}`);
  if (entry.mode === symlink)
    throw new DomainError('PAGE_UNREADABLE', `${path} is a symbolic link`);
  if (entry.size > limits.fileBytes)
    throw new DomainError('LIMIT_EXCEEDED', `${path} is over ${limits.fileBytes / 1024 ** 2} MiB`);
  const bytes = await store.objects.read(entry.id);
  if (isLfsPointer(bytes))
    throw new DomainError(
      'PAGE_UNREADABLE',
      `${path} is a pointer of Git LFS, not the file itself`,
    );
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new DomainError('PAGE_UNREADABLE', `${path} is not UTF-8 text`);
  }
}
