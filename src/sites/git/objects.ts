import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DomainError } from '../../errors.ts';
import type { FileChange } from './repository.ts';
import { planChanges, type PlannedChange } from './changes.ts';
import type { Clone } from './clone.ts';
import type { Store } from './store.ts';
import { readTree } from './tree.ts';
import { replaceEntry } from './treeFile.ts';

/** An entry of the index to set, by its path relative to the site's root; id null removes it. */
export interface IndexEntry {
  path: string;
  mode: string;
  id: string | null;
}

/** Writes the contents of changed files as blobs, by one git command. */
export async function writeBlobs(store: Store, changes: PlannedChange[], signal?: AbortSignal): Promise<IndexEntry[]> {
  return store.withFolder(async (folder) => {
    const sources: string[] = [];
    for (const { content } of changes) {
      if (content === null) continue;
      sources.push(join(folder, `${sources.length}`));
      await writeFile(sources.at(-1) ?? '', content);
    }
    const args = ['hash-object', '-w', '--no-filters', '--stdin-paths'];
    const ids = sources.length > 0 ? lines(await store.git(args, { input: sources.join('\n'), signal })) : [];
    return changes.map(({ path, content, mode }) => ({
      path,
      mode,
      id: content === null ? null : (ids.shift() ?? null),
    }));
  });
}

const lines = (text: string) => text.split('\n').filter(Boolean);

/**
 * Writes the tree that is `base` with the entries set, through a temporary index. Only the site's folder is read: what a
 * repository has beside it was not checked for its size.
 * @returns the tree's id
 */
export async function writeTree(
  { store, root }: Clone,
  base: string,
  entries: IndexEntry[],
  signal?: AbortSignal,
): Promise<string> {
  const nothing = '0'.repeat(base.length);
  const input = entries.map(({ path, mode, id }) => (id === null ? `0 ${nothing}` : `${mode} ${id}`) + `\t${path}\0`);
  const site = await store.withFolder(async (folder) => {
    const env = { GIT_INDEX_FILE: join(folder, 'index') };
    await store.git(['read-tree', `${base}:${root}`], { env, signal });
    await store.git(['update-index', '-z', '--index-info'], { env, signal, input: input.join('') });
    return (await store.git(['write-tree'], { env, signal })).trim();
  });
  return withFolder(store, base, { path: root, tree: site }, signal);
}

/** The tree that is `base` with another folder at a path. What lies beside the folder never comes into memory. */
async function withFolder(
  store: Store,
  base: string,
  { path, tree }: { path: string; tree: string },
  signal?: AbortSignal,
): Promise<string> {
  if (path === '') return tree;
  const parent = path.slice(0, Math.max(path.lastIndexOf('/'), 0));
  const name = path.slice(parent === '' ? 0 : parent.length + 1);
  const made = await store.withFolder(async (folder) => {
    const file = join(folder, 'tree');
    await store.git(['cat-file', 'tree', `${base}:${parent}`], { output: file, signal });
    await replaceEntry(file, name, tree);
    // literally: names beside the site's folder are as they were, also those that git would not write by itself
    return store.git(['hash-object', '-t', 'tree', '-w', '--literally', '--no-filters', '--', file], { signal });
  });
  return withFolder(store, base, { path: parent, tree: made.trim() }, signal);
}

/**
 * Writes the tree that is `base` with files of the site changed.
 * @returns the tree's id, null where the changes change nothing
 */
export async function writeChanges(
  clone: Clone,
  { base, changes }: { base: string; changes: FileChange[] },
  signal?: AbortSignal,
): Promise<string | null> {
  const { store } = clone;
  const { entries } = await readTree(clone, base, signal);
  const changed = await writeBlobs(store, await planChanges(entries, changes, signal), signal);
  const tree = await writeTree(clone, base, changed, signal);
  const before = (await store.git(['rev-parse', '--verify', `${base}^{tree}`], { signal })).trim();
  return tree === before ? null : tree;
}

export interface NewCommit {
  tree: string;
  parents: string[];
  taskId: string;
  message: string;
  author: { name: string; email: string };
  /** ISO 8601. */
  createdAt: string;
  /** The name of the trailer that names the task; default `Agent-Task`. */
  trailer?: 'Agent-Task-Edit';
}

/**
 * Writes a commit with a trailer that names its task. The same input makes the same id.
 * @returns the commit's id
 */
export async function writeCommit(store: Store, commit: NewCommit, signal?: AbortSignal): Promise<string> {
  const seconds = Math.floor(Date.parse(commit.createdAt) / 1000);
  if (Number.isNaN(seconds)) throw new DomainError('INVALID_INPUT', 'createdAt must be an ISO 8601 time');
  const { name, email } = commit.author;
  const env = Object.fromEntries(
    ['AUTHOR', 'COMMITTER'].flatMap((role) => [
      [`GIT_${role}_NAME`, name],
      [`GIT_${role}_EMAIL`, email],
      [`GIT_${role}_DATE`, `@${seconds} +0000`],
    ]),
  ) as Record<string, string>;
  const args = ['commit-tree', commit.tree, ...commit.parents.flatMap((parent) => ['-p', parent])];
  const message = commit.message.replace(/[^\P{Cc}\n]/gu, ' ').trim();
  return (
    await store.git(args, { env, signal, input: `${message}\n\n${commit.trailer ?? 'Agent-Task'}: ${commit.taskId}\n` })
  ).trim();
}
