import { DomainError } from '../../errors.ts';
import type { FileChange, PublishRequest, Tree, TreeEntry, Versions } from './repository.ts';
import { foldSlug } from '../pages/slug.ts';
import { findClash, planChanges } from './changes.ts';
import type { Clone } from './clone.ts';
import { isAncestor, mergeBase } from './history.ts';
import { forMany } from './manyThings.ts';
import { difference, mergeByFile } from './merge.ts';
import { writeBlobs, writeCommit, writeTree, type IndexEntry } from './objects.ts';
import { moveLive, pushWithLive } from './pushLive.ts';
import { readTree } from './tree.ts';

const attempts = 10;

/**
 * Brings the task's commit into the production branch. Repeatable: a commit that is in the branch is not
 * merged again.
 * @param fetchHead fetches the production branch and returns its head
 * @returns the production head that has the task's commit in it
 * @throws DomainError PAGE_CHANGED when others changed the same files, PUSH_REFUSED, GIT_FAILED
 */
export async function publish(
  clone: Clone,
  request: PublishRequest,
  fetchHead: () => Promise<string>,
  signal?: AbortSignal,
): Promise<string> {
  const { store, remote } = clone;
  for (let attempt = 0; attempt < attempts; attempt++) {
    const head = await fetchHead();
    if (await isAncestor(store, request.commit, head, signal)) {
      await moveLive(clone, head, signal);
      return head;
    }
    const base = await mergeBase(store, { ...request, root: request.base, head }, signal);
    const commit = head === base ? request.commit : await mergeInto(clone, head, { ...request, base }, signal);
    const push = { commit, ref: `refs/heads/${remote.branch}`, expected: head, name: `branch ${remote.branch}` };
    if ((await pushWithLive(clone, push, signal)) === 'pushed') return commit;
  }
  throw new DomainError(
    'GIT_FAILED',
    `Branch ${remote.branch} was moved by others, or locked, at each of ${attempts} attempts to publish`,
    { retryable: true },
  );
}

/** A commit on top of `head` with the task's files, the others' files, and the derived files of both. */
async function mergeInto(clone: Clone, head: string, request: PublishRequest, signal?: AbortSignal): Promise<string> {
  const before = await readTree(clone, request.base, signal);
  const production = await readTree(clone, head, signal);
  const task = await difference(clone, request.base, request.commit, signal);
  for (const path of task.keys()) if (request.isDerived(path)) task.delete(path);
  const { taken, conflicts } = mergeByFile(task, await difference(clone, request.base, head, signal));
  const both = await mergeBoth(clone, conflicts, { ...request, before, production, changed: [...task.keys()] });
  taken.push(...(await writeBlobs(clone.store, await planChanges(production.entries, both), signal)));

  const clash = await clashOf(production.entries, taken, signal);
  if (clash !== undefined) throw pageChanged([request.nameOf(clash)]);
  const merged = await readTree(clone, await writeTree(clone, head, taken, signal), signal);
  const derived = await request.derive(before, merged, [...task.keys()]);
  const tree = await withDerived(clone, merged, derived, signal);
  const message = `Publish ${request.taskId}`;
  return writeCommit(clone.store, { ...request, message, tree, parents: [head, request.commit] }, signal);
}

interface Merging extends PublishRequest, Omit<Versions, 'task'> {
  /** The task's paths. */
  changed: string[];
}

/**
 * The files that the task and others changed, with the changes of both.
 * Throws PAGE_CHANGED, naming all that have none.
 */
async function mergeBoth(clone: Clone, conflicts: string[], request: Merging): Promise<FileChange[]> {
  if (conflicts.length === 0) return [];
  const { before, production, changed } = request;
  const versions = { before, task: await readTree(clone, request.commit), production };
  const merged = new Map<string, string | null>();
  for (const path of conflicts) {
    const content = await request.merge(path, versions, changed);
    if (content !== undefined) merged.set(path, content);
  }
  const left = conflicts.filter((path) => !merged.has(path));
  if (left.length > 0) throw pageChanged(left.map((path) => request.nameOf(path)));
  return [...merged].flatMap(([path, content]) => (content === null ? [] : [{ path, content }]));
}

async function withDerived(clone: Clone, merged: Tree, derived: FileChange[], signal?: AbortSignal) {
  const entries = await writeBlobs(clone.store, await planChanges(merged.entries, derived, signal), signal);
  return entries.length === 0 ? merged.commit : writeTree(clone, merged.commit, entries, signal);
}

/** The path of the task that others made a folder, or put a file in the way of. */
async function clashOf(entries: ReadonlyMap<string, TreeEntry>, taken: IndexEntry[], signal?: AbortSignal) {
  const deleted = taken.filter(({ id }) => id === null).map(({ path }) => path);
  const written = taken.filter(({ id }) => id !== null).map(({ path }) => path);
  const clash = await findClash(entries, { written, deleted }, signal);
  return clash?.path ?? findTwin(entries, written, signal);
}

/** A new file whose name differs from another one's only in case: on some file systems they would be one. */
async function findTwin(entries: ReadonlyMap<string, TreeEntry>, written: string[], signal?: AbortSignal) {
  const added = new Set(written.filter((path) => !entries.has(path)).map(foldSlug));
  if (added.size === 0) return undefined;
  const there = new Set<string>();
  const take = (path: string) => {
    const name = foldSlug(path);
    if (added.has(name)) there.add(name);
  };
  await forMany(entries.keys(), take, signal);
  return written.find((path) => !entries.has(path) && there.has(foldSlug(path)));
}

function pageChanged(names: string[]): DomainError {
  return new DomainError('PAGE_CHANGED', `Page changed since the task began: ${[...new Set(names)].sort().join(', ')}`);
}
