import type { Creator } from '../contract/creator.ts';
import { type VersionCommit, versionsInEffect } from '../contract/versions.ts';
import type { ResultCommit } from '../contract/site.ts';
import { DomainError } from '../errors.ts';
import type { PublishRequest } from '../sites/git/repository.ts';
import { mergeRequest } from '../sites/pages/mergeRequest.ts';
import { commitVersion, repeatVersion, signVersion, type VersionDeps } from './commitVersion.ts';
import { type CurrentPageDeps, type CurrentResult, readCurrentResult } from './currentPage.ts';
import type { EditableTask } from './editableTask.ts';

/** A version of a result, for people. */
export interface ResultVersion extends Omit<VersionCommit, 'paths'> {
  /** The result itself has the number 1. */
  number: number;
  /** Slugs of the pages that it changed. */
  pages: string[];
  /** Whether it was undone. */
  isUndone: boolean;
}

/**
 * Lists the versions of a result that came after the result itself, the latest first.
 * @throws DomainError as `readCurrentResult`
 */
export async function listResultVersions(
  deps: CurrentPageDeps,
  task: EditableTask,
  signal?: AbortSignal,
): Promise<ResultVersion[]> {
  return numberVersions(
    deps,
    await readVersionCommits(await readCurrentResult(deps, task, signal), task, signal),
  );
}

/** Reads the commits of a result's versions. Those of a batch lie between its other commits. */
export const readVersionCommits = (
  { repository, commit }: Pick<CurrentResult, 'repository' | 'commit'>,
  { taskId, commit: resultCommit, base = resultCommit }: EditableTask,
  signal?: AbortSignal,
): Promise<VersionCommit[]> =>
  repository.versions({ commit: base, retainedBy: taskId }, commit, signal);

function numberVersions(
  { pages }: Pick<CurrentPageDeps, 'pages'>,
  versions: VersionCommit[],
): ResultVersion[] {
  const effective = new Set(versionsInEffect(versions));
  return versions.map(({ paths, ...version }, index): ResultVersion => ({
    ...version,
    // the result itself is number 1
    number: versions.length - index + 1,
    pages: paths.filter((path) => pages.isPage(path)).map((path) => pages.slugOf(path)),
    isUndone: version.kind !== 'undo' && !effective.has(versions[index]!),
  }));
}

export interface UndoRequest {
  /** The number of the version that must be the current one. Absent: whichever it is. */
  expected?: number | undefined;
  by: Creator | null;
  /** Called before the commit, with the version that is undone. It must be repeatable. */
  prepare: (undone: ResultVersion) => Promise<void>;
}

/**
 * Makes the version before the current one current again, as a new version with the same files.
 * Undoing again goes back by one more version.
 * @returns the version that was undone, and the commit of the new one
 * @throws DomainError CONFLICT if there is nothing to undo, or if another version is current; as
 *   `readCurrentResult`
 */
export const undoVersion = (
  deps: VersionDeps,
  task: EditableTask,
  { expected, by, prepare }: UndoRequest,
): Promise<{ undone: ResultVersion; commit: string }> =>
  repeatVersion(async () => {
    const current = await readCurrentResult(deps, task);
    const versions = await readVersionCommits(current, task);
    const [last] = versionsInEffect(versions);
    if (expected !== undefined && expected !== versions.length + 1)
      throw new DomainError(
        'CONFLICT',
        `The current version is ${versions.length + 1}, not ${expected}. Read the versions again`,
      );
    if (!last) throw new DomainError('CONFLICT', 'There is no version to undo');
    if (last.kind === 'update')
      throw new DomainError(
        'CONFLICT',
        'The latest version took over changes of other tasks, which cannot be undone',
      );
    if (!isLatestChange(versions, { last, tip: current.commit }))
      throw new DomainError(
        'CONFLICT',
        'Pages were added after the latest version, so it cannot be undone',
      );
    const undone = numberVersions(deps, versions).find(({ commit }) => commit === last.commit)!;
    await prepare(undone);
    const restored = last.parent;
    const commit = await commitVersion(deps.batches, task, current, {
      changes: { restored },
      message: `Undo version ${undone.number}: ${undone.message}`,
      // the pages of repaired rows are gone
      slugs: undone.kind === 'repair' ? [] : undone.pages,
      by,
      version: { kind: 'undo', restored },
    });
    if (commit === null) return null;
    await readCurrentResult(deps, task);
    return { undone, commit };
  });

/** Whether only versions came after a version, so that an undo takes nothing else away. */
function isLatestChange(
  versions: VersionCommit[],
  { last, tip }: { last: VersionCommit; tip: string },
): boolean {
  const later = versions.slice(0, versions.indexOf(last) + 1);
  return later.every(({ commit }, index) => commit === (later[index - 1]?.parent ?? tip));
}

/** Whose pages win if both sides changed them. Absent: nobody's, which is an error. */
export type ConflictWinner = 'own' | 'other';

/** The base task whose current version a result takes over, or the production branch. */
export type UpdateSource = ResultCommit | 'production';

export interface UpdateRequest {
  source: UpdateSource;
  by: Creator | null;
  winner?: ConflictWinner | undefined;
}

/**
 * Takes the current version of the base task, or the production branch, over into a result, as a
 * version of it.
 * @returns the commit of the current version, and whether it is new
 * @throws DomainError PAGE_CHANGED with the slugs of pages that both sides changed, if no winner is
 *   given; as `readCurrentResult`
 */
export const updateResult = (
  deps: CurrentPageDeps,
  task: EditableTask,
  { source, by, winner }: UpdateRequest,
): Promise<{ commit: string; isNew: boolean }> =>
  repeatVersion(async () => {
    const current = await readCurrentResult(deps, task);
    const { repository, commit: parent } = current;
    const other = await readSource(repository, task, source);
    const signature = signVersion(task, current, { by, version: { kind: 'update' } });
    const sourceName = source === 'production' ? 'the live site' : source.retainedBy;
    const commit = await repository.commitUpdate({
      ...signature,
      ...mergeRequest({ ...current, pages: deps.pages, createdAt: signature.createdAt }),
      ...(winner && { merge: mergeByWinner(winner) }),
      ...other,
      parent,
      message: `Take over the current version of ${sourceName}`,
    });
    if (commit === null) return null;
    if (commit !== parent) await readCurrentResult(deps, task);
    if (source !== 'production')
      await deps.deployments.setPreviewBase({
        taskId: task.taskId,
        baseTaskId: source.retainedBy,
        base: other.commit,
      });
    return { commit, isNew: commit !== parent };
  });

export interface ConflictQuery extends Pick<UpdateRequest, 'source'> {
  /** The production commit from which the task, or the lowest of its base tasks, began. */
  root: string;
}

/** The slugs of the pages for which `updateResult` needs a winner. */
export async function findUpdateConflicts(
  deps: CurrentPageDeps,
  task: EditableTask,
  { source, root }: ConflictQuery,
  signal: AbortSignal,
): Promise<string[]> {
  const current = await readCurrentResult(deps, task, signal);
  const other = await readSource(current.repository, task, source, signal);
  const { taskId } = task;
  const createdAt = new Date().toISOString();
  const merge = mergeRequest({ ...current, pages: deps.pages, createdAt });
  const request = { ...merge, ...other, taskId, createdAt, base: root };
  const paths = await current.repository.conflicts(request, current.commit, signal);
  return [...new Set(paths.map((path) => merge.nameOf(path)))];
}

/** The commit to take over. The production branch's head is in the clone then. */
async function readSource(
  repository: CurrentResult['repository'],
  { taskId }: EditableTask,
  source: UpdateSource,
  signal?: AbortSignal,
): Promise<ResultCommit> {
  return source === 'production'
    ? { commit: await repository.fetchHead(signal), retainedBy: taskId }
    : { ...source, commit: await repository.fetchResult(source, signal) };
}

/** Gives each page that both sides changed one side's version. `production` is the own side. */
const mergeByWinner =
  (winner: ConflictWinner): PublishRequest['merge'] =>
  async (path, { task: other, production: own }) => {
    const tree = winner === 'own' ? own : other;
    return tree.entries.has(path) ? tree.read(path) : null;
  };
