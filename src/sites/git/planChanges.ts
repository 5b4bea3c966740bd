import { DomainError } from '../../errors.ts';
import type { FileChange, TreeEntry } from './repository.ts';
import { forMany } from './forMany.ts';
import { checkPath, foldersOf } from './refNames.ts';

const regularModes = ['100644', '100755'];
const names: Record<string, string> = { '120000': 'a symbolic link', '160000': 'a submodule' };

/**
 * A change that fits the tree: `mode` is the one of the file that is there, 100644 for a new file.
 */
export interface PlannedChange extends FileChange {
  mode: string;
}

/**
 * Checks that changes fit a tree: regular files only, no file where a folder is and the other way
 * round. Symbolic links are never followed: to git they are files.
 * @returns the changes with their modes; deletions of files that are not there are left out
 * @throws DomainError INVALID_INPUT for a path that cannot be in a repository, CONFLICT for one
 *   that does not fit
 */
export async function planChanges(
  entries: ReadonlyMap<string, TreeEntry>,
  changes: FileChange[],
  signal?: AbortSignal,
): Promise<PlannedChange[]> {
  const last = new Map(changes.map((change) => [checkPath(change.path), change]));
  const planned: PlannedChange[] = [];
  for (const change of last.values()) {
    const mode = entries.get(change.path)?.mode;
    if (mode !== undefined && !regularModes.includes(mode))
      throw new DomainError(
        'CONFLICT',
        `Cannot write ${change.path}: it is ${names[mode] ?? 'no regular file'}`,
      );
    if (change.content !== null || mode !== undefined)
      planned.push({ ...change, mode: mode ?? '100644' });
  }
  const written = planned.filter(({ content }) => content !== null).map(({ path }) => path);
  const deleted = planned.filter(({ content }) => content === null).map(({ path }) => path);
  const clash = await findClash(entries, { written, deleted }, signal);
  if (clash)
    throw new DomainError('CONFLICT', `Cannot write ${clash.path}: ${describe(entries, clash)}`);
  return planned;
}

/**
 * A path that cannot be written, and the file that is in its way: undefined if it is a folder
 * itself.
 */
export interface Clash {
  path: string;
  file?: string;
}

/** Paths that will be files, and paths that will be gone. */
interface Paths {
  written: string[];
  deleted: string[];
}

/** The first written path that needs a folder where a file is, or that is a folder. */
export async function findClash(
  entries: ReadonlyMap<string, TreeEntry>,
  { written, deleted }: Paths,
  signal?: AbortSignal,
): Promise<Clash | undefined> {
  const [added, gone] = [new Set(written), new Set(deleted)];
  const isFile = (path: string) => added.has(path) || (entries.has(path) && !gone.has(path));
  const asked = new Set(written.flatMap((path) => [...foldersOf(path), path]));
  const folders = new Set<string>();
  const take = (path: string) => {
    if (isFile(path)) addFolders(folders, asked, path);
  };
  await forMany(entries.keys(), take, signal);
  for (const path of written) take(path);
  for (const path of written) {
    const file = [...foldersOf(path)].find(isFile);
    if (file !== undefined) return { path, file };
    if (folders.has(path)) return { path };
  }
  return undefined;
}

function describe(entries: ReadonlyMap<string, TreeEntry>, { file }: Clash): string {
  if (file === undefined) return 'it is a folder';
  return `${file} is ${names[entries.get(file)?.mode ?? ''] ?? 'a file'}`;
}

/**
 * Adds those of a file's folders that are in `asked`. With a path, all folders above it are there
 * too.
 */
function addFolders(folders: Set<string>, asked: ReadonlySet<string>, path: string): void {
  for (const folder of foldersOf(path)) {
    if (!asked.has(folder)) return;
    folders.add(folder);
  }
}
