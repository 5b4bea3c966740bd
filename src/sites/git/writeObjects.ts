import { DomainError } from '../../errors.ts';
import { planChanges, type PlannedChange } from './planChanges.ts';
import { type Clone, prefixOf } from './clone.ts';
import { entriesNamed, type FolderEntry, isFolder, withEntries } from './treeObject.ts';
import { readCommit } from './history.ts';
import { writeObject } from './looseObject.ts';
import { EDITOR } from './refNames.ts';
import type { FileChange, Signature, Tree } from './repository.ts';
import type { Store } from './store.ts';
import { type ChangedEntry, changedTree } from './readTree.ts';

/** Writes the contents of changed files as blobs. */
export async function writeBlobs(
  { dir }: Store,
  changes: PlannedChange[],
): Promise<ChangedEntry[]> {
  const written = changes.map(async ({ path, content, mode }) => ({
    path,
    mode,
    size: Buffer.byteLength(content ?? ''),
    id: content === null ? null : await writeObject(dir, 'blob', content),
  }));
  return Promise.all(written);
}

/**
 * Writes a commit's tree with some of the site's files changed. If the repository has more than the
 * site, it reads only the folders above the site's folder.
 * @returns the tree's id
 */
export async function writeTree(
  clone: Clone,
  commit: string,
  entries: ChangedEntry[],
): Promise<string> {
  const { store } = clone;
  const { tree } = await readCommit(store, commit);
  const all = entries.map((entry) => ({ ...entry, path: prefixOf(clone) + entry.path }));
  return (await writeFolder(store, tree, all)) ?? writeObject(store.dir, 'tree', '');
}

type Change = Pick<ChangedEntry, 'path' | 'mode' | 'id'>;

/**
 * Writes the tree object of a folder.
 * @param id the folder's current object; null for a new folder
 * @param changes by path relative to the folder
 * @returns null if the folder is empty now
 */
async function writeFolder(
  store: Store,
  id: string | null,
  changes: Change[],
): Promise<string | null> {
  const folder = id === null ? Buffer.alloc(0) : await readFolder(store, id);
  const below = Map.groupBy(changes, ({ path }) => path.split('/', 1)[0]!);
  const standing = await entriesNamed(folder, below.keys());
  const entries = new Map<string, FolderEntry | null>();
  for (const [name, own] of below)
    entries.set(name, await writeEntry(store, name, own, standing.get(name)));
  const changed = await withEntries(folder, entries);
  return changed.length === 0 ? null : writeObject(store.dir, 'tree', changed);
}

/**
 * The new entry of a folder under a name; null to remove it. A file may replace a folder and the
 * other way round.
 */
async function writeEntry(
  store: Store,
  name: string,
  changes: Change[],
  standing: FolderEntry | undefined,
) {
  const file = changes.find(({ path }) => path === name);
  if (file && file.id !== null) return { mode: file.mode, id: file.id };
  const inside = changes.filter((change) => change !== file);
  if (inside.length === 0) return null;
  const before = standing && isFolder(standing) ? standing.id : null;
  const shorter = inside.map((change) => ({ ...change, path: change.path.slice(name.length + 1) }));
  const id = await writeFolder(store, before, shorter);
  return id === null ? null : { mode: '40000', id };
}

async function readFolder(store: Store, id: string): Promise<Buffer> {
  const found = await store.find('tree', id);
  if (!found) throw new DomainError('GIT_FAILED', `Folder ${id} not found in the repository`);
  return found.content;
}

/**
 * Writes the tree of `base` with some of the site's files changed.
 * @returns the tree's id and the site's files in it; null if nothing changes
 */
export async function writeChanges(
  clone: Clone,
  base: Tree,
  changes: FileChange[],
  signal?: AbortSignal,
): Promise<{ tree: string; entries: Tree['entries'] } | null> {
  const planned = await planChanges(base.entries, changes, signal);
  const entries = await writeBlobs(clone.store, planned);
  if (entries.every(({ path, id }) => (base.entries.get(path)?.id ?? null) === id)) return null;
  const tree = await writeTree(clone, base.commit, entries);
  return { tree, entries: changedTree(base, entries, clone.siteLimits) };
}

export interface NewCommit extends Signature {
  tree: string;
  parents: string[];
  message: string;
  /** The trailer that names the task; default `Agent-Task`. */
  trailer?: 'Agent-Task-Edit';
  /** The id of the person who edited by hand. Only this service can tell whose id it is. */
  editor?: string | undefined;
}

/**
 * Writes a commit with a trailer that names its task. The same input gives the same id.
 * @returns the commit's id
 */
export async function writeCommit(store: Store, commit: NewCommit): Promise<string> {
  const seconds = Math.floor(Date.parse(commit.createdAt) / 1000);
  if (Number.isNaN(seconds))
    throw new DomainError('INVALID_INPUT', 'createdAt must be an ISO 8601 time');
  const { name, email } = commit.author;
  const who = `${identity(name)} <${identity(email)}> ${seconds} +0000`;
  const message = commit.message.replace(/[^\P{Cc}\n]/gu, ' ').trim();
  const lines = [
    `tree ${commit.tree}`,
    ...commit.parents.map((parent) => `parent ${parent}`),
    `author ${who}`,
    `committer ${who}`,
    `\n${message}\n`,
    ...(commit.editor === undefined ? [] : [`${EDITOR}: ${commit.editor}`]),
    `${commit.trailer ?? 'Agent-Task'}: ${commit.taskId}\n`,
  ];
  return writeObject(store.dir, 'commit', lines.join('\n'));
}

/**
 * Removes from a name or address what git would remove (ident.c): line breaks, angle brackets, and
 * punctuation at the ends.
 */
function identity(text: string): string {
  const isMark = (character: string | undefined) =>
    character !== undefined && /[\p{Cc} .,:;<>"\\']/u.test(character);
  let [start, end] = [0, text.length];
  while (isMark(text[start])) start++;
  while (end > start && isMark(text[end - 1])) end--;
  return text.slice(start, end).replace(/[\p{Cc}<>]/gu, '');
}
