import { limits } from '../../../contract/task.ts';
import { DomainError, hasErrorCode } from '../../../errors.ts';
import type { Tree, TreeEntry } from '../repository.ts';
import { gitFailure } from '../command/gitFailure.ts';
import type { SiteClone, SiteLimits } from '../siteClone.ts';
import {
  checkFileTotals,
  checkPathShape,
  listingBytes,
  readListing,
  tooManyPaths,
} from './treeListing.ts';
import { addDataEntries, type ChangedEntry, onlyFiles, withParts } from './dataFiles.ts';
import { isLfsPointer } from './lfsPointer.ts';
import type { CloneStore } from '../clones/cloneStore.ts';

const symlink = '120000';
const submodule = '160000';

/**
 * Reads the files of a commit (or tree object) below the site's root. A small repository may unfold
 * to any size, because folders can share contents. So git also lists folders: everything that it
 * visits counts towards the limits, and a listing over them ends early.
 * @param id the commit, which must be in the clone already
 * @throws DomainError GIT_FAILED if the commit or the folder does not exist, or for names that git
 *   reserves for itself; LIMIT_EXCEEDED over the clone's `siteLimits`
 */
export async function readTree(clone: SiteClone, id: string, signal?: AbortSignal): Promise<Tree> {
  const { store, root, siteLimits } = clone;
  const args = ['ls-tree', '-r', '-t', '-z', '--long', '--full-tree', `${id}:${root}`];
  const result = await store
    .tryGit({ args, maxBytes: listingBytes(siteLimits), signal })
    .catch((error: unknown) => {
      throw hasErrorCode(error, 'LIMIT_EXCEEDED') ? tooManyPaths(siteLimits) : error;
    });
  if (
    result.code !== 0 &&
    root !== '' &&
    /Not a valid object name|not a tree object/i.test(result.stderr)
  )
    throw missingFolderError(root);
  if (result.code !== 0) throw gitFailure('Reading the files of a commit', result);
  const files = await readListing(result.stdout, siteLimits, signal);
  return createTree(store, id, await addDataEntries(clone, files, signal));
}

/** Like `readTree`, but reads a commit only once for all callers, and caches it. */
export const readCachedTree = (
  clone: SiteClone,
  commit: string,
  signal?: AbortSignal,
): Promise<Tree> =>
  clone.trees.read(commit, (endSignal) => readTree(clone, commit, endSignal), signal);

/** Makes the tree of a commit from its entries, without reading it. */
export const createTree = (store: CloneStore, commit: string, entries: Tree['entries']): Tree => ({
  commit,
  entries,
  read: (path) => {
    const { text } = entries.get(path) ?? {};
    return text === undefined
      ? readTextFile(store, entries.get(path), path)
      : Promise.resolve(text);
  },
});

/**
 * A tree's entries with changes applied, in git's order.
 * @param changes as `spliceEntries` returns them, if some are about entries of data files
 * @throws DomainError LIMIT_EXCEEDED
 */
export function applyTreeChanges(
  { entries }: Pick<Tree, 'entries'>,
  changes: ChangedEntry[],
  siteLimits: SiteLimits,
): Tree['entries'] {
  const changedEntries = onlyFiles(entries);
  const addedEntries: TreeEntry[] = [];
  for (const { id, ...entry } of changes.filter(({ text }) => text === undefined)) {
    if (id === null) changedEntries.delete(entry.path);
    else if (changedEntries.has(entry.path)) changedEntries.set(entry.path, { ...entry, id });
    else addedEntries.push({ ...entry, id });
  }
  for (const { path } of addedEntries) checkPathShape(path, Buffer.byteLength(path), siteLimits);
  const allEntries =
    addedEntries.length === 0
      ? changedEntries
      : insertSorted([...changedEntries.values()], addedEntries);
  checkFileTotals(allEntries, siteLimits);
  return withParts(allEntries);
}

/** Inserts new entries in the order of `ls-tree`: by the bytes of their paths. */
function insertSorted(sorted: TreeEntry[], added: TreeEntry[]): Map<string, TreeEntry> {
  for (const entry of added) {
    const path = Buffer.from(entry.path);
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (Buffer.compare(Buffer.from(sorted[middle]!.path), path) < 0) low = middle + 1;
      else high = middle;
    }
    sorted.splice(low, 0, entry);
  }
  return new Map(sorted.map((entry) => [entry.path, entry]));
}

async function readTextFile(
  store: CloneStore,
  entry: TreeEntry | undefined,
  path: string,
): Promise<string> {
  if (!entry || entry.mode === submodule)
    throw new DomainError('NOT_FOUND', `File not found: ${path}`);
  if (entry.mode === symlink)
    throw new DomainError('PAGE_UNREADABLE', `${path} is a symbolic link`);
  if (entry.size > limits.fileBytes)
    throw new DomainError(
      'LIMIT_EXCEEDED',
      `${path} is larger than ${limits.fileBytes / 1024 ** 2} MiB`,
    );
  const bytes = await store.objects.read(entry.id);
  if (isLfsPointer(bytes)) throw lfsPointerError(path);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new DomainError('PAGE_UNREADABLE', `${path} is not UTF-8 text`);
  }
}

export const missingFolderError = (root: string) =>
  new DomainError('GIT_FAILED', `Folder ${root} not found in the repository`, {
    details: { reason: 'folder' },
  });

export const lfsPointerError = (path: string) =>
  new DomainError(
    'PAGE_UNREADABLE',
    `${path} is only a Git LFS pointer. Commit the file without Git LFS.`,
  );
