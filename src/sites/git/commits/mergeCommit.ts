import { foldSlug } from '../../pages/urls/slug.ts';
import { DomainError } from '../../../errors.ts';
import { findClash, planChanges } from '../trees/planChanges.ts';
import type { SiteClone } from '../siteClone.ts';
import { readEarlierVersions } from '../history/earlierVersions.ts';
import { mergeBase, listMerges, readCommit } from '../history/commits.ts';
import { processMany } from '../command/processMany.ts';
import { type ChangedEntry, isDataEntry, spliceEntries } from '../trees/dataFiles.ts';
import { diffTrees, mergeByFile, omitMergedParts, orderNewEntries } from '../trees/mergeByFile.ts';
import { writeBlobs, writeCommit, writeTree } from '../trees/writeObjects.ts';
import type { FileChange, PublishRequest, Tree, TreeEntry, SiteVersions } from '../repository.ts';
import { applyTreeChanges, readCachedTree, createTree } from '../trees/readTree.ts';

/*
 * Merges a task's result into production, file by file. There are three versions of the site: the
 * merge base, the task's result, and production's head. For each file that the task changed:
 * - production did not change it: the task's version is taken
 * - production has an earlier version of the same result (squashed): the task's version is taken
 * - both changed it: the request's `merge` combines them, or the file is a conflict
 * Derived files, such as sitemap.xml, are written anew from the merged files.
 */

/**
 * Writes the merge commit of a task's result and `headCommit`. Caches its tree for the merge of the
 * next task.
 * @param headCommit the head of production, or the last merge before this one
 * @param request.base the merge base of both sides
 * @returns the commit's id
 * @throws DomainError PAGE_CHANGED with the names of the files in conflict; LIMIT_EXCEEDED
 */
export async function writeMerge(
  clone: SiteClone,
  headCommit: string,
  request: PublishRequest & { message?: string },
  signal?: AbortSignal,
): Promise<string> {
  const { store, siteLimits, trees } = clone;
  const versions = await readSiteVersions(clone, headCommit, request, signal);
  const { production } = versions;
  const merge = await mergeFiles(clone, versions, request, signal);
  const { changed, conflicts } = merge;
  if (conflicts.length > 0) throw pageChangedError(conflicts.map((path) => request.nameOf(path)));
  const orderedEntries = orderNewEntries(merge.taken, { task: versions.task, target: production });
  const taken = await spliceEntries(clone, production, orderedEntries, signal);
  const mergedTree = createTree(store, headCommit, applyTreeChanges(production, taken, siteLimits));
  const derivedEntries = await writeFiles(
    clone,
    mergedTree,
    await request.derive(versions.before, mergedTree, changed),
    signal,
  );
  const tree = await writeTree(clone, headCommit, [...derivedEntries, ...taken]);
  const commit = await writeCommit(store, {
    ...request,
    message: request.message ?? `Publish ${request.taskId}`,
    tree,
    parents: [headCommit, request.commit],
  });
  trees.keep(createTree(store, commit, applyTreeChanges(mergedTree, derivedEntries, siteLimits)));
  return commit;
}

/**
 * The paths of the task's files that can't be merged into `headCommit`, since others changed them
 * too.
 * @param request.base the merge base of both sides
 */
export async function conflictsWith(
  clone: SiteClone,
  headCommit: string,
  request: PublishRequest,
  signal?: AbortSignal,
): Promise<string[]> {
  const versions = await readSiteVersions(clone, headCommit, request, signal);
  return (await mergeFiles(clone, versions, request, signal)).conflicts;
}

async function readSiteVersions(
  clone: SiteClone,
  headCommit: string,
  { base, commit }: Pick<PublishRequest, 'base' | 'commit'>,
  signal?: AbortSignal,
): Promise<SiteVersions> {
  const readTree = (commitId: string) => readCachedTree(clone, commitId, signal);
  return {
    before: await readTree(base),
    task: await readTree(commit),
    production: await readTree(headCommit),
  };
}

/**
 * Computes a merge again that `headCommit` already contains, so that the request's `merge` and
 * `derive` are called again. Writes the same commit. Does nothing if the task's result came into
 * the branch without a merge, or by somebody else's merge. Ignores a final failure, because the
 * result is already published.
 */
export async function repeatMerge(
  clone: SiteClone,
  headCommit: string,
  request: PublishRequest,
  signal?: AbortSignal,
): Promise<void> {
  const { store } = clone;
  for (const merge of await listMerges(store, request.commit, headCommit, signal)) {
    const { parents, taskId } = await readCommit(store, merge);
    const [previousHead, mergedCommit] = parents;
    if (taskId !== request.taskId || mergedCommit !== request.commit) continue;
    const base = await mergeBase(store, previousHead!, mergedCommit, signal);
    await writeMerge(clone, previousHead!, { ...request, base }, signal).catch(ignoreFinalFailure);
    return;
  }
}

function ignoreFinalFailure(error: unknown): void {
  if (!(error instanceof DomainError) || error.retryable) throw error;
}

/**
 * Merges the task's files.
 * @returns the entries to change in production's tree (`taken`), the paths that the task changed,
 *   and the paths in conflict
 */
async function mergeFiles(
  clone: SiteClone,
  versions: SiteVersions,
  request: PublishRequest,
  signal?: AbortSignal,
) {
  const { before, task, production } = versions;
  const taskDifference = await diffTrees(before, task, signal);
  for (const path of taskDifference.keys())
    if (request.isDerived(path)) taskDifference.delete(path);
  const changed = [...taskDifference.keys()];
  const otherDifference = await diffTrees(before, production, signal);
  omitMergedParts(taskDifference, otherDifference);
  const { taken, conflicts } = mergeByFile(taskDifference, otherDifference);
  const isEarlier =
    conflicts.length === 0 ? isNeverEarlier : await readEarlierVersions(clone, request, signal);
  const isTaskVersion = (path: string) => isEarlier(path, otherDifference.get(path)!.id);
  taken.push(...conflicts.filter(isTaskVersion).map((path) => taskDifference.get(path)!));
  const remainingConflicts = conflicts.filter((path) => !isTaskVersion(path));
  const mergeResult = await mergeBoth(remainingConflicts, versions, { ...request, changed });
  taken.push(...(await writeFiles(clone, production, mergeResult.merged, signal)));
  const clash = await findPathClash(production.entries, taken, signal);
  const strayEntries = taken.filter(
    ({ path, text }) => text !== undefined && !isDataEntry(production.entries, path),
  );
  return {
    taken,
    changed,
    conflicts: [
      ...mergeResult.conflicts,
      ...(clash === undefined ? [] : [clash]),
      ...strayEntries.map(({ path }) => path),
    ],
  };
}

const isNeverEarlier = () => false;

const writeFiles = async (
  clone: SiteClone,
  { entries }: Tree,
  changes: FileChange[],
  signal?: AbortSignal,
) => writeBlobs(clone.store, entries, await planChanges(entries, changes, signal));

/** Merges the files that both the task and others changed, as far as that is possible. */
async function mergeBoth(
  paths: string[],
  versions: SiteVersions,
  request: PublishRequest & { changed: string[] },
): Promise<{ merged: FileChange[]; conflicts: string[] }> {
  const merged: FileChange[] = [];
  const conflicts: string[] = [];
  for (const path of paths) {
    const content = await request.merge(path, versions, request.changed);
    if (content === undefined) conflicts.push(path);
    else if (content !== null || versions.production.entries.has(path))
      merged.push({ path, content });
  }
  return { merged, conflicts };
}

/**
 * The first written path that can't be added to production: it is a folder there, or below a file,
 * or its name differs from another file's only in case.
 */
async function findPathClash(
  entries: ReadonlyMap<string, TreeEntry>,
  takenEntries: ChangedEntry[],
  signal?: AbortSignal,
) {
  const deleted = takenEntries.filter(({ id }) => id === null).map(({ path }) => path);
  const writtenPaths = takenEntries.filter(({ id }) => id !== null).map(({ path }) => path);
  const clash = await findClash(entries, { written: writtenPaths, deleted }, signal);
  return clash?.path ?? findCaseTwin(entries, writtenPaths, signal);
}

/**
 * A new file whose name differs from another file's only in case. Some file systems would treat
 * them as one file.
 */
async function findCaseTwin(
  entries: ReadonlyMap<string, TreeEntry>,
  writtenPaths: string[],
  signal?: AbortSignal,
) {
  const addedNames = new Set(writtenPaths.filter((path) => !entries.has(path)).map(foldSlug));
  if (addedNames.size === 0) return undefined;
  const existingNames = new Set<string>();
  const addExisting = (path: string) => {
    const name = foldSlug(path);
    if (addedNames.has(name)) existingNames.add(name);
  };
  await processMany(entries.keys(), addExisting, signal);
  return writtenPaths.find((path) => !entries.has(path) && existingNames.has(foldSlug(path)));
}

export function pageChangedError(names: string[]): DomainError {
  const pages = [...new Set(names)].sort();
  return new DomainError('PAGE_CHANGED', `Page changed since the task began: ${pages.join(', ')}`, {
    details: { names: pages },
  });
}
