import { createHash } from 'node:crypto';
import { defined } from '../contract/defined.ts';
import { noteIdOf } from '../contract/noteIds.ts';
import {
  type DropNote,
  type DropWork,
  isDroppable,
  type Note,
  type NoteKind,
  slotsOf,
  valuesOf,
} from '../contract/task.ts';
import { DomainError, errorCodes } from '../errors.ts';
import type { StartedTask, TaskRecord } from '../temporal/tasks/tasks.ts';
import type { Caller } from './caller.ts';
import { type NoteOfTask, notesDownFrom } from './openNotes.ts';
import { requireResult } from './previews.ts';
import { completed, conflict, externalIdsOf, nullIfNotFound } from './results.ts';
import {
  type AskedTask,
  checkCallback,
  findSite,
  type FollowUpDeps,
  makerOf,
  type Sent,
  startAsked,
  startOrFail,
  startedBefore,
} from './start.ts';

/** Maximum number of tasks that one request may start. */
const MOST_OF_A_GROUP = 100;
const MOST_DROPS = 50;

/** Which notes to drop, i.e. whose facts to remove, and whether to publish the result. */
export interface DropRequest {
  /** The task that has the notes. */
  taskId: string;
  page?: string;
  kind?: NoteKind;
  slots?: string[];
  notes?: string[];
  /** Whether to drop the same facts in all tasks that were made from the same table. */
  group: boolean;
  publish: boolean;
  onWarnings: 'publish' | 'hold';
  callbackUrl?: string;
  title?: string;
}

/**
 * The tasks started for a group, each with the task whose notes it drops (`drops`), and the tasks
 * that were refused.
 */
export interface DroppedOnAll {
  started: (StartedTask & { drops: string })[];
  refused: { taskId: string; error: string }[];
}

/**
 * Starts a task that removes the facts of another task's open notes.
 * @throws DomainError INVALID_INPUT, NOT_FOUND, CONFLICT if no note matches, INVALID_CALLBACK_URL
 */
export const dropNotes = (caller: Caller, deps: FollowUpDeps, request: DropRequest, sent: Sent) =>
  drop({ caller, deps, request, sent }, async (asking, task) => {
    const started = await dropOn(asking, task, (note) => isMeant(note, request));
    if (!started) throw nothingMeant();
    return started;
  });

/**
 * Drops the same facts in all tasks that were made from the same table.
 * @throws DomainError as `dropNotes`; CONFLICT if the task was not made from a table
 */
export const dropNotesOnAll = (
  caller: Caller,
  deps: FollowUpDeps,
  request: DropRequest,
  sent: Sent,
) => drop({ caller, deps, request, sent }, dropOnAll);

async function drop<T>(
  asking: Asking,
  begin: (asking: Asking, task: TaskRecord) => Promise<T>,
): Promise<T> {
  const { caller, deps, request } = asking;
  if (!request.kind && !request.slots && !request.notes)
    throw new DomainError('INVALID_INPUT', 'Say what is to be dropped: kind, slots or notes');
  if (request.slots && request.page === undefined)
    throw new DomainError('INVALID_INPUT', 'slots are those of one page: name it as page');
  return startOrFail(async () => {
    await checkCallback(request.callbackUrl, deps);
    return begin(asking, await deps.tasks.find(caller.organizationId, request.taskId));
  });
}

interface Asking {
  caller: Caller;
  deps: FollowUpDeps;
  request: DropRequest;
  sent: Sent;
}

/**
 * Tells which values of a note to remove: `{}` for all of them. null if the note does not match.
 */
type Choose = (note: NoteOfTask) => { only?: string[] } | null;

const isMeant = (note: Note, { page, kind, slots, notes }: DropRequest) =>
  isDroppable(note) &&
  (page === undefined || note.page === page) &&
  (kind === undefined || note.kind === kind) &&
  (!slots || slotsOf(note).some((slot) => slots.includes(slot))) &&
  (!notes || notes.includes(noteIdOf(note)))
    ? {}
    : null;

/**
 * Starts a task that drops matching notes. It builds on the task's latest result, after earlier
 * drops.
 * @returns null if no open note matches
 */
async function dropOn(
  { caller, deps, request, sent }: Asking,
  named: TaskRecord,
  choose: Choose,
): Promise<StartedTask | null> {
  const site = await findSite(caller, deps, named.siteId);
  const { page, kind, slots, notes, group, callbackUrl, title, publish, onWarnings } = request;
  const asked = {
    dropOf: named.taskId,
    page,
    kind,
    slots,
    notes,
    group,
    callbackUrl,
    title,
    publish,
    onWarnings,
  };
  const before = await startedBefore(caller, deps, { site, asked }, sent);
  if (before) return before;
  const task = await latestOf(deps, caller, named);
  const { result, output } = completed(task, 'drop');
  if (!result) throw conflict('Task changed nothing: there is nothing to drop');
  await requireResult(deps, result.taskId);
  const all = await notesDownFrom(deps, caller, task.taskId);
  const chosen = all.flatMap((note) => {
    const how = choose(note);
    return how ? [{ ...note, id: noteIdOf(note), ...how }] : [];
  });
  if (chosen.length === 0) return null;
  const ids = new Set(chosen.map(({ id }) => id));
  const rest = all
    .filter((note) => !ids.has(noteIdOf(note)))
    .map(({ task: _, ...note }): Note => note);
  const by = makerOf(caller);
  const work: DropWork = {
    type: 'drop',
    pages: byPage(chosen),
    externalIds: externalIdsOf(output),
    by,
  };
  const fields: AskedTask['fields'] = {
    ...defined({ publish, callbackUrl, onto: result, work }),
    ...(rest.length > 0 && { ontoNotes: rest }),
    ...(onWarnings === 'hold' && { onWarnings }),
  };
  const about = { title, follows: task.taskId, group: task.group };
  return startAsked(caller, deps, { site, fields, about, asked }, sent);
}

function byPage(notes: (NoteOfTask & DropNote)[]): DropWork['pages'] {
  return [...Map.groupBy(notes, ({ page }) => page!)].map(([slug, same]) => ({
    slug,
    notes: same,
  }));
}

/**
 * Follows a task's drops to the latest one: each drop's result lacks what the drops before it
 * removed. Stops at a result that was edited by hand after it was dropped from.
 */
async function latestOf(
  deps: FollowUpDeps,
  { organizationId }: Caller,
  named: TaskRecord,
): Promise<TaskRecord> {
  let task = named;
  for (let n = 0; n < MOST_DROPS; n++) {
    const settled = (await deps.noteStates.of(task.taskId)).filter(
      ({ droppedIn }) => droppedIn !== undefined,
    );
    const last = settled.toSorted((a, b) => a.at.getTime() - b.at.getTime()).at(-1)?.droppedIn;
    if (last === undefined) return task;
    const next = await deps.tasks.find(organizationId, last).catch(nullIfNotFound);
    if (
      next?.finished?.status !== 'completed' ||
      next.finished.result?.base !== (await commitOf(deps, task))
    )
      return task;
    task = next;
  }
  return task;
}

/** The current commit of a task's result, including edits by hand. */
async function commitOf(
  { deployments }: FollowUpDeps,
  { finished }: TaskRecord,
): Promise<string | undefined> {
  if (finished?.status !== 'completed' || !finished.result) return undefined;
  const preview = await deployments.preview(finished.result.taskId);
  return preview?.commit ?? finished.result.commit;
}

/**
 * Drops the same facts in all tasks of a group. A task that is refused does not stop the others.
 */
async function dropOnAll(asking: Asking, named: TaskRecord): Promise<DroppedOnAll> {
  const { caller, deps, sent } = asking;
  const { organizationId } = caller;
  if (named.group === undefined) throw conflict('Task has no group: it was not made from a table');
  const choose = await sameAs(asking, named);
  const { tasks, nextCursor } = await deps.tasks.list({
    organizationId,
    group: named.group,
    limit: MOST_OF_A_GROUP,
  });
  if (nextCursor !== null)
    throw conflict(`The group has over ${MOST_OF_A_GROUP} tasks: drop on each of them`);
  let first: DomainError | undefined;
  const started: DroppedOnAll['started'] = [];
  const refused: DroppedOnAll['refused'] = [];
  const inOrder = tasks
    .toReversed()
    .toSorted(
      (one, other) =>
        Number(one.createdAt > other.createdAt) - Number(one.createdAt < other.createdAt),
    );
  const ids = new Set([...inOrder.map(({ taskId }) => taskId), ...ofTable(named)]);
  for (const taskId of ids) {
    try {
      const task = await deps.tasks.find(organizationId, taskId);
      const own = {
        ...sent,
        idempotencyKey: sent.idempotencyKey && keyFor(sent.idempotencyKey, taskId),
      };
      const begun = await dropOn({ ...asking, sent: own }, task, choose);
      if (begun) started.push({ ...begun, drops: taskId });
    } catch (error) {
      if (!(error instanceof DomainError) || errorCodes[error.code] >= 500) throw error;
      first ??= error;
      refused.push({ taskId, error: error.message });
    }
  }
  if (started.length === 0) throw first ?? nothingMeant();
  return { started, refused };
}

/** The named task itself, because lists may lag behind. */
const ofTable = ({ taskId, type }: TaskRecord) =>
  type === 'generate_pages' || type === 'prompt' ? [taskId] : [];

/**
 * Chooses notes in all tasks of a group. If the request names notes or slots, notes with the same
 * values match; otherwise all notes of the requested kind match.
 */
async function sameAs({ caller, deps, request }: Asking, named: TaskRecord): Promise<Choose> {
  const { kind } = request;
  if (!request.slots && !request.notes)
    return (note) => (isDroppable(note) && note.kind === kind ? {} : null);
  const { output } = completed(named, 'drop');
  const own = [...(output.notes ?? []), ...(await notesDownFrom(deps, caller, named.taskId))];
  const meant = own.filter((note) => isMeant(note, request));
  if (meant.length === 0) throw nothingMeant();
  return (note) => {
    if (!isDroppable(note)) return null;
    const same = new Set(meant.filter((one) => one.kind === note.kind).flatMap(valuesOf));
    const only = valuesOf(note).filter((value) => same.has(value));
    if (only.length === 0) return null;
    return only.length === valuesOf(note).length ? {} : { only };
  };
}

/**
 * An idempotency key for each task of a group, so that a repeated request starts each drop once.
 */
const keyFor = (key: string, taskId: string) =>
  createHash('sha256').update(`${key} ${taskId}`).digest('base64url');

const nothingMeant = () => conflict('No open note that can be dropped is meant');
