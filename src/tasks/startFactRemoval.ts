import { withoutUndefined } from '../contract/withoutUndefined.ts';
import { noteIdOf } from '../contract/notes/noteIds.ts';
import {
  type RemovableNote,
  type FactRemovalWork,
  isDroppable,
  type Note,
  type NoteKind,
  noteSlots,
} from '../contract/task.ts';
import { DomainError } from '../errors.ts';
import type { StartedTask, TaskRecord } from '../temporal/tasks/taskService.ts';
import type { RequestCaller } from './caller.ts';
import { type NoteOfTask, collectOpenNotes } from './openNotes.ts';
import { requireResult } from './previews.ts';
import {
  requireCompleted,
  taskConflict,
  externalIdsBySlug,
  nullIfNotFound,
} from './taskResults.ts';
import {
  type ResolvedTask,
  checkCallback,
  findCallerSite,
  type FollowUpPorts,
  taskCreator,
  type RequestIdempotency,
  startResolvedTask,
  orStartFailed,
  findStartedTask,
} from './startTask.ts';

const MOST_DROPS = 50;

/** Which notes to resolve by removing their facts, and whether to publish the result. */
export interface FactRemovalRequest {
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
 * Starts a task that removes from the pages what another task's open notes name, such as prices of
 * the template. For example, `{ taskId, kind: 'price', … }` removes all prices that these notes
 * name. The new task builds on the latest task that removed facts of the other one before.
 * @throws DomainError INVALID_INPUT, NOT_FOUND, CONFLICT if no note matches, INVALID_CALLBACK_URL
 */
export async function startFactRemoval(
  caller: RequestCaller,
  deps: FollowUpPorts,
  request: FactRemovalRequest,
  idempotency: RequestIdempotency,
): Promise<StartedTask> {
  if (!request.kind && !request.slots && !request.notes)
    throw new DomainError(
      'INVALID_INPUT',
      'One of kind, slots and notes is required, to say what to remove',
    );
  if (request.slots && request.page === undefined)
    throw new DomainError(
      'INVALID_INPUT',
      'page is required with slots, because slots are texts of one page',
    );
  return orStartFailed(() => startRemovalTask(caller, deps, request, idempotency));
}

const isSelectedNote = (note: Note, { page, kind, slots, notes }: FactRemovalRequest) =>
  isDroppable(note) &&
  (page === undefined || note.page === page) &&
  (kind === undefined || note.kind === kind) &&
  (!slots || noteSlots(note).some((slot) => slots.includes(slot))) &&
  (!notes || notes.includes(noteIdOf(note)));

async function startRemovalTask(
  caller: RequestCaller,
  deps: FollowUpPorts,
  request: FactRemovalRequest,
  idempotency: RequestIdempotency,
): Promise<StartedTask> {
  await checkCallback(request.callbackUrl, deps);
  const namedTask = await deps.tasks.find(caller.organizationId, request.taskId);
  const site = await findCallerSite(caller, deps, namedTask.siteId);
  const { page, kind, slots, notes, callbackUrl, title, publish, onWarnings } = request;
  const requestedDrop = {
    dropOf: namedTask.taskId,
    page,
    kind,
    slots,
    notes,
    callbackUrl,
    title,
    publish,
    onWarnings,
  };
  const startedTask = await findStartedTask(
    caller,
    deps,
    { site, comparedRequest: requestedDrop },
    idempotency,
  );
  if (startedTask) return startedTask;
  const task = await findLatestDrop(deps, caller, namedTask);
  const { result, output } = requireCompleted(task, 'drop');
  if (!result) throw taskConflict('The task changed nothing, so there is nothing to remove');
  await requireResult(deps, result.taskId);
  const openNotes = await collectOpenNotes(deps, caller, task.taskId);
  const selectedNotes = openNotes
    .filter((note) => isSelectedNote(note, request))
    .map((note) => ({ ...note, id: noteIdOf(note) }));
  if (selectedNotes.length === 0)
    throw taskConflict('No open note of this selection can be resolved by removing its text');
  const selectedIds = new Set(selectedNotes.map(({ id }) => id));
  const remainingNotes = openNotes
    .filter((note) => !selectedIds.has(noteIdOf(note)))
    .map(({ task: _, ...note }): Note => note);
  const creator = taskCreator(caller);
  const work: FactRemovalWork = {
    type: 'drop',
    pages: groupByPage(selectedNotes),
    externalIds: externalIdsBySlug(output),
    by: creator,
  };
  const fields: ResolvedTask['fields'] = {
    ...withoutUndefined({ publish, callbackUrl, baseTask: result, work }),
    ...(remainingNotes.length > 0 && { baseTaskNotes: remainingNotes }),
    ...(onWarnings === 'hold' && { onWarnings }),
  };
  const about = { title, follows: task.taskId };
  return startResolvedTask(
    caller,
    deps,
    { site, fields, about, comparedRequest: requestedDrop },
    idempotency,
  );
}

function groupByPage(notes: (NoteOfTask & RemovableNote)[]): FactRemovalWork['pages'] {
  return [...Map.groupBy(notes, ({ page }) => page!)].map(([slug, pageNotes]) => ({
    slug,
    notes: pageNotes,
  }));
}

/**
 * Finds the latest task that removed facts of a task: it builds on the earlier ones, so its result
 * lacks what all of them removed. Stops at a result that was edited by hand after facts were
 * removed from it.
 */
async function findLatestDrop(
  deps: FollowUpPorts,
  { organizationId }: RequestCaller,
  startTask: TaskRecord,
): Promise<TaskRecord> {
  let task = startTask;
  for (let n = 0; n < MOST_DROPS; n++) {
    const droppedNotes = (await deps.noteStates.of(task.taskId)).filter(
      ({ droppedIn }) => droppedIn !== undefined,
    );
    const lastDropId = droppedNotes
      .toSorted((first, second) => first.at.getTime() - second.at.getTime())
      .at(-1)?.droppedIn;
    if (lastDropId === undefined) return task;
    const nextTask = await deps.tasks.find(organizationId, lastDropId).catch(nullIfNotFound);
    if (
      nextTask?.finished?.status !== 'completed' ||
      nextTask.finished.result?.base !== (await currentCommit(deps, task))
    )
      return task;
    task = nextTask;
  }
  return task;
}

/** The current commit of a task's result, including edits by hand. */
async function currentCommit(
  { deployments }: FollowUpPorts,
  { finished }: TaskRecord,
): Promise<string | undefined> {
  if (finished?.status !== 'completed' || !finished.result) return undefined;
  const preview = await deployments.preview(finished.result.taskId);
  return preview?.commit ?? finished.result.commit;
}
