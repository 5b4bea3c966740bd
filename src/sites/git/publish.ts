import { DomainError } from '../../errors.ts';
import type { PublishRequest, Tree, TreeEntry } from './repository.ts';
import { foldSlug } from '../pages/slug.ts';
import { findClash, planChanges } from './changes.ts';
import { isAncestor, mergeBase } from './history.ts';
import { difference, mergeByFile } from './merge.ts';
import { writeBlobs, writeCommit, writeTree, type IndexEntry } from './objects.ts';
import { pushRef, type Remote } from './remote.ts';
import type { Store } from './store.ts';
import { readTree } from './tree.ts';

const attempts = 10;

/**
 * Brings the task's commit into the production branch. Harmless to repeat: a commit that is in the branch is not merged again.
 * @param root '' or the folder of the site's pages
 * @param fetchHead fetches the production branch and returns its head
 * @returns the production head that has the task's commit in it
 * @throws DomainError PAGE_CHANGED when others changed the same files, PUSH_REFUSED, GIT_FAILED
 */
export async function publish(
  store: Store,
  remote: Remote,
  root: string,
  request: PublishRequest,
  fetchHead: () => Promise<string>,
  signal?: AbortSignal,
): Promise<string> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const head = await fetchHead();
    if (await isAncestor(store, request.commit, head)) return head;
    const base = await mergeBase(store, { ...request, root: request.base, head });
    const commit = head === base ? request.commit : await mergeInto(store, root, head, { ...request, base }, signal);
    const push = { commit, ref: `refs/heads/${remote.branch}`, expected: head, name: `branch ${remote.branch}` };
    if ((await pushRef(store, remote, push, signal)) === 'pushed') return commit;
  }
  throw new DomainError(
    'GIT_FAILED',
    `Branch ${remote.branch} was moved by others, or locked, at each of ${attempts} attempts to publish`,
    { retryable: true },
  );
}

/** A commit on top of `head` with the task's files, the others' files, and the derived files of both. */
async function mergeInto(
  store: Store,
  root: string,
  head: string,
  request: PublishRequest,
  signal?: AbortSignal,
): Promise<string> {
  const prefix = root === '' ? '' : `${root}/`;
  const inSite = (path: string) => path.slice(prefix.length);
  const task = await difference(store, request.base, request.commit, signal);
  for (const path of task.keys()) if (request.isDerived(inSite(path))) task.delete(path);
  const { taken, conflicts } = mergeByFile(task, await difference(store, request.base, head, signal));
  if (conflicts.length > 0) throw pageChanged(conflicts.map((path) => request.nameOf(inSite(path))));

  const before = await readTree(store, request.base, root);
  const production = await readTree(store, head, root);
  const clash = clashOf(production.entries, taken, inSite);
  if (clash !== undefined) throw pageChanged([request.nameOf(clash)]);
  const merged = await readTree(store, await writeTree(store, head, taken, signal), root);
  const tree = await withDerived(
    store,
    prefix,
    merged,
    await request.derive(before, merged, [...task.keys()].map(inSite)),
    signal,
  );
  const message = `Publish ${request.taskId}`;
  return writeCommit(store, { ...request, message, tree, parents: [head, request.commit] }, signal);
}

async function withDerived(
  store: Store,
  prefix: string,
  merged: Tree,
  derived: Parameters<typeof planChanges>[1],
  signal?: AbortSignal,
) {
  const entries = await writeBlobs(store, prefix, planChanges(merged.entries, derived), signal);
  return entries.length === 0 ? merged.commit : writeTree(store, merged.commit, entries, signal);
}

/** The path of the task that others made a folder, or put a file in the way of. */
function clashOf(entries: ReadonlyMap<string, TreeEntry>, taken: IndexEntry[], inSite: (path: string) => string) {
  const deleted = taken.filter(({ id }) => id === null).map(({ path }) => inSite(path));
  const written = taken.filter(({ id }) => id !== null).map(({ path }) => inSite(path));
  return findClash(entries, written, deleted)?.path ?? findTwin(entries, written);
}

/** A new file whose name differs from another one's only in case: on some file systems they would be one. */
function findTwin(entries: ReadonlyMap<string, TreeEntry>, written: string[]) {
  const added = new Set(written.filter((path) => !entries.has(path)).map(foldSlug));
  if (added.size === 0) return undefined;
  const twin = [...entries.keys()].map(foldSlug).find((name) => added.has(name));
  return written.find((path) => foldSlug(path) === twin);
}

function pageChanged(names: string[]): DomainError {
  return new DomainError('PAGE_CHANGED', `Page changed since the task began: ${[...new Set(names)].sort().join(', ')}`);
}
