import { defined } from '../contract/defined.ts';
import { noteIdOf } from '../contract/noteIds.ts';
import {
  type DropNote,
  type DropWork,
  isDroppable,
  type Note,
  type NoteKind,
  slotsOf,
} from '../contract/task.ts';
import { DomainError } from '../errors.ts';
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

const MOST_DROPS = 50;

/** Which notes to drop, i.e. whose facts to remove, and whether to publish the result. */
export interface DropRequest {
  /** The task that has the notes. */
  taskId: string;
  page?: string;
  kind?: NoteKind;
  slots?: string[];
  notes?: string[];
  publish: boolean;
  onWarnings: 'publish' | 'hold';
  callbackUrl?: string;
  title?: string;
}

/**
 * Starts a task that removes the facts of another task's open notes. It builds on the task's latest
 * result, after earlier drops.
 * @throws DomainError INVALID_INPUT, NOT_FOUND, CONFLICT if no note matches, INVALID_CALLBACK_URL
 */
export async function dropNotes(
  caller: Caller,
  deps: FollowUpDeps,
  request: DropRequest,
  sent: Sent,
): Promise<StartedTask> {
  if (!request.kind && !request.slots && !request.notes)
    throw new DomainError('INVALID_INPUT', 'Say what is to be dropped: kind, slots or notes');
  if (request.slots && request.page === undefined)
    throw new DomainError('INVALID_INPUT', 'slots are those of one page: name it as page');
  return startOrFail(() => startDrop(caller, deps, request, sent));
}

const isMeant = (note: Note, { page, kind, slots, notes }: DropRequest) =>
  isDroppable(note) &&
  (page === undefined || note.page === page) &&
  (kind === undefined || note.kind === kind) &&
  (!slots || slotsOf(note).some((slot) => slots.includes(slot))) &&
  (!notes || notes.includes(noteIdOf(note)));

async function startDrop(
  caller: Caller,
  deps: FollowUpDeps,
  request: DropRequest,
  sent: Sent,
): Promise<StartedTask> {
  await checkCallback(request.callbackUrl, deps);
  const named = await deps.tasks.find(caller.organizationId, request.taskId);
  const site = await findSite(caller, deps, named.siteId);
  const { page, kind, slots, notes, callbackUrl, title, publish, onWarnings } = request;
  const asked = {
    dropOf: named.taskId,
    page,
    kind,
    slots,
    notes,
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
  const chosen = all
    .filter((note) => isMeant(note, request))
    .map((note) => ({ ...note, id: noteIdOf(note) }));
  if (chosen.length === 0) throw conflict('No open note that can be dropped is meant');
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
  const about = { title, follows: task.taskId };
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
