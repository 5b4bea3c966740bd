import { DomainError } from '../../../errors.ts';
import { planChanges, type PlannedChange } from './planChanges.ts';
import { type SiteClone, rootPrefix } from '../siteClone.ts';
import { findEntries, type FolderEntry, isFolder, setEntries } from './treeObject.ts';
import { readCommit } from '../history/commits.ts';
import { writeObject } from '../clones/looseObject.ts';
import { EDITOR, VERSION } from '../refNames.ts';
import type { FileChange, CommitSignature, Tree, VersionSignature } from '../repository.ts';
import type { CloneStore } from '../clones/cloneStore.ts';
import { type ChangedEntry, blobOf, isDataEntry, spliceEntries } from './dataFiles.ts';
import { applyTreeChanges } from './readTree.ts';

/**
 * Writes the contents of changed files into the clone as blobs. The entries of data files wait for
 * `spliceEntries`.
 * @throws DomainError CONFLICT for a change of a data file whose entries are pages
 */
export async function writeBlobs(
  { dir }: CloneStore,
  entries: Tree['entries'],
  changes: PlannedChange[],
): Promise<ChangedEntry[]> {
  const writes = changes.map(async ({ path, content, mode, after }): Promise<ChangedEntry> => {
    if (isDataEntry(entries, path)) {
      const { id, size } = blobOf(content ?? '');
      const entry = { path, mode, size, id: content === null ? null : id, text: content ?? '' };
      return after === undefined ? entry : { ...entry, after };
    }
    if (entries.get(path)?.parts)
      throw new DomainError(
        'CONFLICT',
        `Cannot write ${path}: its entries are pages of the site, so change these pages`,
      );
    const size = Buffer.byteLength(content ?? '');
    return {
      path,
      mode,
      size,
      id: content === null ? null : await writeObject(dir, 'blob', content),
    };
  });
  return Promise.all(writes);
}

/**
 * Writes a commit's tree with some of the site's files changed. Reads and writes only the folders
 * on the paths to these files.
 * @returns the tree's id
 */
export async function writeTree(
  clone: SiteClone,
  commit: string,
  entries: ChangedEntry[],
): Promise<string> {
  const { store } = clone;
  const { tree } = await readCommit(store, commit);
  const files = entries.filter(({ text }) => text === undefined);
  const prefixedEntries = files.map((entry) => ({
    ...entry,
    path: rootPrefix(clone) + entry.path,
  }));
  return (await writeFolder(store, tree, prefixedEntries)) ?? writeObject(store.dir, 'tree', '');
}

type EntryChange = Pick<ChangedEntry, 'path' | 'mode' | 'id'>;

/**
 * Writes the tree object of a folder.
 * @param id the folder's current object; null for a new folder
 * @param changes by path relative to the folder
 * @returns null if the folder is empty now
 */
async function writeFolder(
  store: CloneStore,
  id: string | null,
  changes: EntryChange[],
): Promise<string | null> {
  const folder = id === null ? Buffer.alloc(0) : await readFolder(store, id);
  const changesByName = Map.groupBy(changes, ({ path }) => path.split('/', 1)[0]!);
  const storedEntries = await findEntries(folder, changesByName.keys());
  const entries = new Map<string, FolderEntry | null>();
  for (const [name, nameChanges] of changesByName)
    entries.set(name, await writeEntry(store, name, nameChanges, storedEntries.get(name)));
  const newFolder = await setEntries(folder, entries);
  return newFolder.length === 0 ? null : writeObject(store.dir, 'tree', newFolder);
}

/**
 * The new entry of a folder under a name; null to remove it. A file may replace a folder and the
 * other way round.
 */
async function writeEntry(
  store: CloneStore,
  name: string,
  changes: EntryChange[],
  storedEntry: FolderEntry | undefined,
) {
  const file = changes.find(({ path }) => path === name);
  if (file && file.id !== null) return { mode: file.mode, id: file.id };
  const innerChanges = changes.filter((change) => change !== file);
  if (innerChanges.length === 0) return null;
  const oldFolderId = storedEntry && isFolder(storedEntry) ? storedEntry.id : null;
  const relativeChanges = innerChanges.map((change) => ({
    ...change,
    path: change.path.slice(name.length + 1),
  }));
  const id = await writeFolder(store, oldFolderId, relativeChanges);
  return id === null ? null : { mode: '40000', id };
}

async function readFolder(store: CloneStore, id: string): Promise<Buffer> {
  const treeObject = await store.find('tree', id);
  if (!treeObject) throw new DomainError('GIT_FAILED', `Folder ${id} not found in the repository`);
  return treeObject.content;
}

/**
 * Writes the tree of `base` with some of the site's files changed.
 * @returns the tree's id and the site's files in it; null if nothing changes
 */
export async function writeChanges(
  clone: SiteClone,
  base: Tree,
  changes: FileChange[],
  signal?: AbortSignal,
): Promise<{ tree: string; entries: Tree['entries'] } | null> {
  const plannedChanges = await planChanges(base.entries, changes, signal);
  const changedEntries = await writeBlobs(clone.store, base.entries, plannedChanges);
  const isSame = ({ path, id }: ChangedEntry) => (base.entries.get(path)?.id ?? null) === id;
  if (changedEntries.every(isSame)) return null;
  const entries = await spliceEntries(clone, base, changedEntries, signal);
  const tree = await writeTree(clone, base.commit, entries);
  return { tree, entries: applyTreeChanges(base, entries, clone.siteLimits) };
}

/** A commit to write. */
export interface NewCommit extends CommitSignature, VersionSignature {
  /** The id of the tree object of the repository's root. */
  tree: string;
  parents: string[];
  message: string;
}

/**
 * Writes a commit with a trailer that names its task. The same input gives the same id.
 * @returns the commit's id
 */
export async function writeCommit(store: CloneStore, commit: NewCommit): Promise<string> {
  const seconds = Math.floor(Date.parse(commit.createdAt) / 1000);
  if (Number.isNaN(seconds))
    throw new DomainError('INVALID_INPUT', 'createdAt must be an ISO 8601 time');
  const { name, email } = commit.author;
  const signature = `${sanitizeIdentity(name)} <${sanitizeIdentity(email)}> ${seconds} +0000`;
  const message = commit.message.replace(/[^\P{Cc}\n]/gu, ' ').trim();
  const lines = [
    `tree ${commit.tree}`,
    ...commit.parents.map((parent) => `parent ${parent}`),
    `author ${signature}`,
    `committer ${signature}`,
    `\n${message}\n`,
    ...(commit.editor === undefined ? [] : [`${EDITOR}: ${commit.editor}`]),
    ...(commit.version === undefined ? [] : [`${VERSION}: ${JSON.stringify(commit.version)}`]),
    `${commit.trailer ?? 'Agent-Task'}: ${commit.taskId}\n`,
  ];
  return writeObject(store.dir, 'commit', lines.join('\n'));
}

/**
 * Removes from a name or address what git would remove (ident.c): line breaks, angle brackets, and
 * punctuation at the ends.
 */
function sanitizeIdentity(text: string): string {
  const isMark = (character: string | undefined) =>
    character !== undefined && /[\p{Cc} .,:;<>"\\']/u.test(character);
  let [start, end] = [0, text.length];
  while (isMark(text[start])) start++;
  while (end > start && isMark(text[end - 1])) end--;
  return text.slice(start, end).replace(/[\p{Cc}<>]/gu, '');
}
