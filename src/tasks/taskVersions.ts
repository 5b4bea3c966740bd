import type { Creator, NamedCreator } from '../contract/creator.ts';
import { noteIdOf } from '../contract/notes/noteIds.ts';
import type { VersionKind } from '../contract/versions.ts';
import type { EditableTask } from '../editor/editableTask.ts';
import type { ConflictWinner, ResultVersion } from '../editor/resultVersions.ts';
import { DomainError, hasErrorCode } from '../errors.ts';
import { findUpdateSources, type UpdateStep } from './baseVersions.ts';
import type { RequestCaller } from './caller.ts';
import { collectResultNotes, type NoteOfTask } from './openNotes.ts';
import { settleEditedNotes } from './pageNotes.ts';
import type { NeededPorts } from './ports.ts';
import { taskCreator } from './startTask.ts';
import { findVersionedTask, refuseWhilePublishing } from './versionedTask.ts';

export type VersionPorts = NeededPorts<
  'tasks' | 'editing' | 'deployments' | 'creators' | 'noteStates' | 'publications'
>;

/** A version of a task's result. The first one is the result itself. */
export interface TaskVersion {
  number: number;
  kind: VersionKind | 'result';
  /** ISO 8601. */
  at: string;
  /** null: a person with a link, or not known any more. */
  by: NamedCreator | null;
  summary: string;
  pages: string[];
  isUndone: boolean;
}

/**
 * Lists the versions of a task's result, the latest first.
 * @throws DomainError as `findVersionedTask`; UNAVAILABLE
 */
export async function listTaskVersions(
  caller: RequestCaller,
  deps: VersionPorts,
  taskId: string,
  signal?: AbortSignal,
): Promise<{ taskId: string; versions: TaskVersion[] }> {
  const { task, result } = await findVersionedTask(caller, deps, taskId);
  const { title, createdBy, createdAt, finished } = task;
  const first = { summary: title, createdBy, at: finished?.finishedAt ?? createdAt };
  return { taskId: task.taskId, versions: await readAllVersions(deps, result, first, signal) };
}

/**
 * Reads all versions of the result of a task or batch, the latest first.
 * @param first what the result itself shows as the first version
 */
export async function readAllVersions(
  deps: NeededPorts<'editing' | 'creators'>,
  result: EditableTask,
  { createdBy, ...first }: Pick<TaskVersion, 'summary' | 'at'> & { createdBy: Creator | null },
  signal?: AbortSignal,
): Promise<TaskVersion[]> {
  const laterVersions = await deps.editing.editor.versions(result, signal);
  const creators = await deps.creators.named([...laterVersions.map(versionCreator), createdBy]);
  const pages = result.pages.map(({ slug }) => slug);
  const by = creators.at(-1) ?? null;
  return [
    ...laterVersions.map((version, index) => toTaskVersion(version, creators[index] ?? null)),
    { number: 1, kind: 'result', ...first, by, pages, isUndone: false },
  ];
}

const toTaskVersion = (
  { number, kind, at, message, pages, isUndone }: ResultVersion,
  by: NamedCreator | null,
): TaskVersion => ({ number, kind, at, by, summary: message, pages, isUndone });

const versionCreator = ({ editor, keyId }: ResultVersion): Creator | null => {
  if (editor !== undefined) return { userId: editor };
  return keyId === undefined ? null : { keyId };
};

/** Reads the version that a commit made. */
export async function readVersion(
  deps: NeededPorts<'editing' | 'creators'>,
  result: EditableTask,
  commit: string,
): Promise<TaskVersion> {
  const versions = await deps.editing.editor.versions(result);
  const version = versions.find((candidate) => candidate.commit === commit);
  if (!version) throw new DomainError('UNAVAILABLE', 'The new version could not be read');
  const [by = null] = await deps.creators.named([versionCreator(version)]);
  return toTaskVersion(version, by);
}

/**
 * Makes the version before the current one current again, as a new version. Notes that the undone
 * version resolved are open again: they are reopened before the commit, so that a note is never
 * resolved while the page has its fact.
 * @param request.version the number of the version to undo, which must be current
 * @throws DomainError as `findVersionedTask`; CONFLICT if there is nothing to undo, if another
 *   version is current, or while the task is being published; UNAVAILABLE
 */
export async function undoTaskVersion(
  caller: RequestCaller,
  deps: VersionPorts,
  request: { taskId: string; version?: number },
): Promise<TaskVersion> {
  const versionedTask = await findVersionedTask(caller, deps, request.taskId);
  await refuseWhilePublishing(caller, deps, versionedTask);
  const { taskId } = versionedTask.task;
  const notes = await collectResultNotes(deps, caller, taskId);
  return undoResultVersion(caller, deps, versionedTask.result, {
    version: request.version,
    notes: notes.map(({ note }) => note),
  });
}

interface UndoContext {
  version: number | undefined;
  /** All notes on the result. */
  notes: NoteOfTask[];
  /** Called before the commit. It must be repeatable. */
  prepare?: (undone: ResultVersion) => Promise<void>;
}

/** Undoes the current version of the result of a task or batch. */
export async function undoResultVersion(
  caller: RequestCaller,
  deps: NeededPorts<'editing' | 'creators' | 'noteStates'>,
  result: EditableTask,
  { version: expected, notes, prepare }: UndoContext,
): Promise<TaskVersion> {
  const by = taskCreator(caller);
  const { undone, commit } = await deps.editing.editor.undo(result, {
    expected,
    by,
    async prepare(version) {
      await reopenRemovedNotes(deps, version, notes);
      await prepare?.(version);
    },
  });
  // the pages of repaired rows are gone, and their notes come again with them
  if (undone.kind !== 'repair') await settleEditedNotes(by, deps, result, undone.pages);
  return readVersion(deps, result, commit);
}

/** Opens the notes again whose facts a version removed. */
async function reopenRemovedNotes(
  { noteStates }: NeededPorts<'noteStates'>,
  { notes: removed = {} }: Pick<ResultVersion, 'notes'>,
  notes: NoteOfTask[],
): Promise<void> {
  const removedIds = new Set(Object.values(removed).flat());
  for (const [taskId, taskNotes] of Map.groupBy(notes, ({ task }) => task)) {
    const noteIds = taskNotes.map(noteIdOf).filter((id) => removedIds.has(id));
    const states = await noteStates.of(taskId);
    const isRemoved = (id: string) =>
      states.some(({ noteId, state }) => noteId === id && state === 'dropped');
    await noteStates.reopen({ taskId, noteIds: noteIds.filter(isRemoved) });
  }
}

/**
 * Takes over into a task's result what its base tasks and the production branch have become since.
 * @param request.conflicts whose pages win if both sides changed them
 * @returns the new version; null if the result had everything already
 * @throws DomainError as `findVersionedTask`; CONFLICT with the pages that both sides changed, if
 *   the request does not say who wins; CONFLICT while the task is being published; UNAVAILABLE
 */
export async function updateTask(
  caller: RequestCaller,
  deps: VersionPorts,
  request: { taskId: string; conflicts?: ConflictWinner },
): Promise<TaskVersion | null> {
  const versionedTask = await findVersionedTask(caller, deps, request.taskId);
  await refuseWhilePublishing(caller, deps, versionedTask);
  const { task, result } = versionedTask;
  let newCommit: string | null = null;
  for (const step of [
    ...(await findUpdateSources(caller, deps, versionedTask)),
    { ...versionedTask, source: 'production' as const },
  ]) {
    const isOwn = step.task.taskId === task.taskId;
    const winner = isOwn ? request.conflicts : undefined;
    const { commit, isNew } = await takeOver(caller, deps, { ...step, winner });
    if (isOwn && isNew) newCommit = commit;
  }
  return newCommit === null ? null : readVersion(deps, result, newCommit);
}

/**
 * Takes the current versions of a task's unpublished base tasks over into its result, before it is
 * published: what people changed in a base task goes live with it.
 * @throws DomainError CONFLICT with the pages that both sides changed; UNAVAILABLE
 */
export async function takeOverBaseVersions(
  caller: RequestCaller,
  deps: VersionPorts,
  taskId: string,
): Promise<void> {
  const versionedTask = await findVersionedTask(caller, deps, taskId);
  for (const step of await findUpdateSources(caller, deps, versionedTask))
    await takeOver(caller, deps, step);
}

/** One update of a result. Names the pages in conflict, and the way out. */
async function takeOver(
  caller: RequestCaller,
  { editing }: NeededPorts<'editing'>,
  { task, result, source, winner }: UpdateStep & { winner?: ConflictWinner | undefined },
) {
  const by = taskCreator(caller);
  return editing.editor.update(result, { source, by, winner }).catch((cause: unknown) => {
    if (!(cause instanceof DomainError) || !hasErrorCode(cause.cause, 'PAGE_CHANGED')) throw cause;
    const { names = [] } = (cause.cause.details ?? {}) as { names?: string[] };
    const pages = names.join(', ');
    const sourceName =
      source === 'production' ? 'the live site' : `its base task ${source.retainedBy}`;
    throw new DomainError(
      'CONFLICT',
      `Both the task ${task.taskId} and ${sourceName} changed these pages: ${pages}. Update the task, and say whose pages win`,
      { cause },
    );
  });
}
