import { DomainError } from '../../../errors.ts';
import type { FileChange, TreeEntry } from '../repository.ts';
import { processMany } from '../command/processMany.ts';
import { checkPath, foldersOf } from '../refNames.ts';

const regularModes = ['100644', '100755'];
const specialFileNames: Record<string, string> = {
  '120000': 'a symbolic link',
  '160000': 'a submodule',
};

/** A change that fits the tree. `mode`: the existing file's mode, 100644 for a new file. */
export interface PlannedChange extends FileChange {
  mode: string;
}

/**
 * Checks that changes fit a tree: they may only touch regular files, and no file may take a
 * folder's path or the other way round. Symbolic links are never followed: git treats them as
 * files.
 * @returns the changes with their modes, without deletions of missing files
 * @throws DomainError INVALID_INPUT for a path that git does not allow, CONFLICT for a change that
 *   does not fit
 */
export async function planChanges(
  entries: ReadonlyMap<string, TreeEntry>,
  changes: FileChange[],
  signal?: AbortSignal,
): Promise<PlannedChange[]> {
  const changesByPath = new Map(changes.map((change) => [checkPath(change.path), change]));
  const plannedChanges: PlannedChange[] = [];
  for (const change of changesByPath.values()) {
    const mode = entries.get(change.path)?.mode;
    if (mode !== undefined && !regularModes.includes(mode))
      throw new DomainError(
        'CONFLICT',
        `Cannot write ${change.path}: it is ${specialFileNames[mode] ?? 'not a regular file'}`,
      );
    if (change.content !== null || mode !== undefined)
      plannedChanges.push({ ...change, mode: mode ?? '100644' });
  }
  const writtenPaths = plannedChanges
    .filter(({ content }) => content !== null)
    .map(({ path }) => path);
  const deleted = plannedChanges.filter(({ content }) => content === null).map(({ path }) => path);
  const clash = await findClash(entries, { written: writtenPaths, deleted }, signal);
  if (clash)
    throw new DomainError(
      'CONFLICT',
      `Cannot write ${clash.path}: ${describeClash(entries, clash)}`,
    );
  return plannedChanges;
}

/**
 * A path that can't be written, and the file in its way. `file` is undefined if the path itself is
 * a folder.
 */
export interface PathClash {
  path: string;
  file?: string;
}

/** The paths of files after the changes, and the deleted paths. */
interface PathChanges {
  written: string[];
  deleted: string[];
}

/** The first written path that is a folder, or that is below a file. */
export async function findClash(
  entries: ReadonlyMap<string, TreeEntry>,
  { written, deleted }: PathChanges,
  signal?: AbortSignal,
): Promise<PathClash | undefined> {
  const [writtenPaths, deletedPaths] = [new Set(written), new Set(deleted)];
  const isFile = (path: string) =>
    writtenPaths.has(path) || (entries.has(path) && !deletedPaths.has(path));
  const watchedPaths = new Set(written.flatMap((path) => [...foldersOf(path), path]));
  const folders = new Set<string>();
  const addFoldersOf = (path: string) => {
    if (isFile(path)) addFolders(folders, watchedPaths, path);
  };
  await processMany(entries.keys(), addFoldersOf, signal);
  for (const path of written) addFoldersOf(path);
  for (const path of written) {
    const file = [...foldersOf(path)].find(isFile);
    if (file !== undefined) return { path, file };
    if (folders.has(path)) return { path };
  }
  return undefined;
}

function describeClash(entries: ReadonlyMap<string, TreeEntry>, { file }: PathClash): string {
  if (file === undefined) return 'it is a folder';
  return `${file} is ${specialFileNames[entries.get(file)?.mode ?? ''] ?? 'a file'}`;
}

/**
 * Adds a file's folders, as far as `watchedPaths` has them. If a path was added before, so were all
 * folders above it.
 */
function addFolders(folders: Set<string>, watchedPaths: ReadonlySet<string>, path: string): void {
  for (const folder of foldersOf(path)) {
    if (!watchedPaths.has(folder)) return;
    folders.add(folder);
  }
}
