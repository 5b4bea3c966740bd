import { foldSlug } from '../pages/slug.ts';
import { DomainError } from '../../errors.ts';
import { findClash, planChanges } from './planChanges.ts';
import type { Clone } from './clone.ts';
import { earlierVersions } from './earlierVersions.ts';
import { mergeBase, mergesOf, readCommit } from './history.ts';
import { forMany } from './forMany.ts';
import { difference, mergeByFile } from './mergeByFile.ts';
import { writeBlobs, writeCommit, writeTree } from './writeObjects.ts';
import type { FileChange, PublishRequest, Tree, TreeEntry, Versions } from './repository.ts';
import { type ChangedEntry, changedTree, readKnown, treeOf } from './readTree.ts';

/**
 * Writes a commit on top of `head` with the files of the task and of others, and with the files
 * derived from both. Caches its tree for the merge of the next task.
 * @param request.base the merge base of both sides
 * @returns the commit's id
 * @throws DomainError PAGE_CHANGED
 */
export async function writeMerge(
  clone: Clone,
  head: string,
  request: PublishRequest,
  signal?: AbortSignal,
): Promise<string> {
  const { store, siteLimits, trees } = clone;
  const versions = await versionsOf(clone, head, request, signal);
  const { taken, changed, conflicts } = await mergeFiles(clone, versions, request, signal);
  if (conflicts.length > 0) throw pageChanged(conflicts.map((path) => request.nameOf(path)));
  const merged = treeOf(store, head, changedTree(versions.production, taken, siteLimits));
  const derived = await writeFiles(
    clone,
    merged,
    await request.derive(versions.before, merged, changed),
    signal,
  );
  const tree = await writeTree(clone, head, [...derived, ...taken]);
  const message = `Publish ${request.taskId}`;
  const commit = await writeCommit(store, {
    ...request,
    message,
    tree,
    parents: [head, request.commit],
  });
  trees.keep(treeOf(store, commit, changedTree(merged, derived, siteLimits)));
  return commit;
}

/**
 * The files of the task that can't be merged into `head`, since others changed them too.
 * @param request.base the merge base of both sides
 */
export async function conflictsWith(
  clone: Clone,
  head: string,
  request: PublishRequest,
  signal?: AbortSignal,
): Promise<string[]> {
  const versions = await versionsOf(clone, head, request, signal);
  return (await mergeFiles(clone, versions, request, signal)).conflicts;
}

async function versionsOf(
  clone: Clone,
  head: string,
  { base, commit }: Pick<PublishRequest, 'base' | 'commit'>,
  signal?: AbortSignal,
): Promise<Versions> {
  const read = (of: string) => readKnown(clone, of, signal);
  return { before: await read(base), task: await read(commit), production: await read(head) };
}

/**
 * Computes a merge again that `head` already contains, so that the request's functions are called.
 * The result is the same commit. Does nothing if the task's result came into the branch without a
 * merge, or by somebody else's merge. Ignores a merge that fails now: the result is already
 * published.
 */
export async function repeatMerge(
  clone: Clone,
  head: string,
  request: PublishRequest,
  signal?: AbortSignal,
): Promise<void> {
  const { store } = clone;
  for (const merge of await mergesOf(store, request.commit, head, signal)) {
    const { parents, taskId } = await readCommit(store, merge);
    const [before, merged] = parents;
    if (taskId !== request.taskId || merged !== request.commit) continue;
    const base = await mergeBase(store, before!, merged, signal);
    await writeMerge(clone, before!, { ...request, base }, signal).catch(passOver);
    return;
  }
}

function passOver(error: unknown): void {
  if (!(error instanceof DomainError) || error.retryable) throw error;
}

/** The entries to set on top of production's, the task's paths, and those that conflict. */
async function mergeFiles(
  clone: Clone,
  versions: Versions,
  request: PublishRequest,
  signal?: AbortSignal,
) {
  const { before, task, production } = versions;
  const own = await difference(before, task, signal);
  for (const path of own.keys()) if (request.isDerived(path)) own.delete(path);
  const changed = [...own.keys()];
  const others = await difference(before, production, signal);
  const { taken, conflicts } = mergeByFile(own, others);
  const isEarlier = conflicts.length === 0 ? never : await earlierVersions(clone, request, signal);
  const isOwn = (path: string) => isEarlier(path, others.get(path)!.id);
  taken.push(...conflicts.filter(isOwn).map((path) => own.get(path)!));
  const left = conflicts.filter((path) => !isOwn(path));
  const both = await mergeBoth(left, versions, { ...request, changed });
  taken.push(...(await writeFiles(clone, production, both.merged, signal)));
  const clash = await clashOf(production.entries, taken, signal);
  return {
    taken,
    changed,
    conflicts: [...both.conflicts, ...(clash === undefined ? [] : [clash])],
  };
}

const never = () => false;

const writeFiles = async (
  clone: Clone,
  { entries }: Tree,
  changes: FileChange[],
  signal?: AbortSignal,
) => writeBlobs(clone.store, await planChanges(entries, changes, signal));

/** Merges the files that both the task and others changed, as far as that is possible. */
async function mergeBoth(
  paths: string[],
  versions: Versions,
  request: PublishRequest & { changed: string[] },
): Promise<{ merged: FileChange[]; conflicts: string[] }> {
  const merged: FileChange[] = [];
  const conflicts: string[] = [];
  for (const path of paths) {
    const content = await request.merge(path, versions, request.changed);
    if (content === undefined) conflicts.push(path);
    else if (content !== null) merged.push({ path, content });
  }
  return { merged, conflicts };
}

/** The first written path at which others made a folder, or that is below a file of theirs. */
async function clashOf(
  entries: ReadonlyMap<string, TreeEntry>,
  taken: ChangedEntry[],
  signal?: AbortSignal,
) {
  const deleted = taken.filter(({ id }) => id === null).map(({ path }) => path);
  const written = taken.filter(({ id }) => id !== null).map(({ path }) => path);
  const clash = await findClash(entries, { written, deleted }, signal);
  return clash?.path ?? findTwin(entries, written, signal);
}

/**
 * A new file whose name differs from another file's only in case. Some file systems would treat
 * them as one file.
 */
async function findTwin(
  entries: ReadonlyMap<string, TreeEntry>,
  written: string[],
  signal?: AbortSignal,
) {
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
  return new DomainError(
    'PAGE_CHANGED',
    `Page changed since the task began: ${[...new Set(names)].sort().join(', ')}`,
  );
}
