import type { Creator } from '../contract/creator.ts';
import { noteIdOf } from '../contract/notes/noteIds.ts';
import {
  isDroppable,
  isPlaceable,
  isTypeable,
  type Note,
  type NoteKind,
  notedPage,
  noteSlots,
  noteValues,
} from '../contract/task.ts';
import { withoutUndefined } from '../contract/withoutUndefined.ts';
import { DomainError, invalidInputError } from '../errors.ts';
import type { EditableTask } from '../editor/editableTask.ts';
import type { EditorChange } from '../editor/protocol.ts';
import { outdatedPageError } from '../editor/applyContentChange.ts';
import type { FactRemoval } from '../editor/resolveNotes.ts';
import { type FactRemovalRequest, notRemovableError } from '../editor/removeFacts.ts';
import type { ValuePlacementRequest } from '../editor/placeValues.ts';
import type { RequestCaller } from './caller.ts';
import { collectResultNotes, type ResultNote } from './openNotes.ts';
import { editorUser, settleEditedNotes } from './pageNotes.ts';
import type { NeededPorts } from './ports.ts';
import { taskCreator } from './startTask.ts';
import { taskConflict } from './taskResults.ts';
import { readVersion, type TaskVersion, type VersionPorts } from './taskVersions.ts';
import { findVersionedTask, refuseWhilePublishing } from './versionedTask.ts';

/** Which notes to resolve: by removing their facts, by a text, or by places for unused values. */
export interface FactSelection extends Partial<TypedReplacement>, Partial<ValuePlaces> {
  page?: string;
  kind?: NoteKind;
  slots?: string[];
  notes?: string[];
}

/** What a person typed in place of what notes report. */
export interface TypedReplacement {
  /** Plain text. */
  text: string;
  /** The value to replace. Required if one of the notes names several. */
  value?: string;
}

/** Where values of contexts belong that the pages do not use. */
export interface ValuePlaces {
  /** Places of a page, such as `Rating`, by the keys of the contexts. */
  places: Record<string, string>;
}

/** What became of the selected notes, and of the task's result. */
export interface TaskFactRemoval {
  /** The task whose result it is. */
  taskId: string;
  /** The new version; null if the result stays as it is. */
  version: TaskVersion | null;
  /** Notes whose facts the new version removed or replaced. */
  removed: Note[];
  /** Notes whose facts were gone before. They are resolved too. */
  gone: Note[];
  /** Notes that stay open, because their facts can't be removed or replaced by themselves. */
  remaining: Note[];
  /** Sentences for people: what was removed, and what could not be. */
  sentences: string[];
}

/**
 * Removes from a task's result what its open notes name, such as prices of the template. For
 * example, `{ kind: 'price' }` removes all prices that these notes name. With a `text`, this text
 * replaces them. With `places`, values that the pages do not use get these places. This makes a
 * version of the result, and resolves the notes after its commit: if the service dies in between,
 * they stay open, and a repeated request resolves them.
 * @throws DomainError INVALID_INPUT; as `findVersionedTask`; CONFLICT if no note matches, or while
 *   the task is being published; UNAVAILABLE
 */
export async function removeTaskFacts(
  caller: RequestCaller,
  deps: VersionPorts,
  { taskId: namedId, ...selection }: FactSelection & { taskId: string },
): Promise<TaskFactRemoval> {
  refuseUnclear(selection);
  const { text, value, places } = selection;
  const versionedTask = await findVersionedTask(caller, deps, namedId);
  const { result } = versionedTask;
  const { taskId } = result;
  const resultNotes = distinctNotes(await collectResultNotes(deps, caller, taskId));
  const selected = resultNotes.filter(
    ({ note, settled }) =>
      isSelectedNote(note, selection) &&
      (!settled || settled.state === (text === undefined && !places ? 'dropped' : 'done')),
  );
  if (selected.length === 0) throw unresolvableError(selection);
  await refuseWhilePublishing(caller, deps, versionedTask);
  const by = taskCreator(caller);
  const request = {
    notes: selected.flatMap(({ note, settled }) => (settled ? [] : note)),
    allNotes: resultNotes.map(({ note }) => note),
    by,
  };
  const removal = places
    ? await placeNotedValues(deps, result, {
        ...request,
        places,
        readContext: createContextReader(caller, deps),
      })
    : text === undefined
      ? await removeNotedFacts(deps, result, request)
      : await typeNotedText(deps, result, { ...request, text, ...withoutUndefined({ value }) });
  const { commit, ...outcome } = removal;
  const goneBefore = selected.flatMap(({ note, settled }) => (settled ? note : []));
  return {
    taskId,
    ...outcome,
    gone: [...goneBefore, ...outcome.gone],
    version: commit === null ? null : await readVersion(deps, result, commit),
  };
}

/** A task that publishes has copies of the notes of its base tasks. */
const distinctNotes = (notes: ResultNote[]) => [
  ...new Map(notes.map((entry) => [`${entry.note.task} ${noteIdOf(entry.note)}`, entry])).values(),
];

function refuseUnclear(selection: FactSelection): void {
  const { kind, slots, notes, page } = selection;
  refuseUnclearText(selection);
  if (!kind && !slots && !notes)
    throw invalidInputError('One of kind, slots and notes is required, to say what to remove');
  if (slots && page === undefined)
    throw invalidInputError('page is required with slots, because slots are texts of one page');
}

/**
 * @throws DomainError INVALID_INPUT if a typed text does not say which facts it replaces, or places
 *   do not say which notes they are for
 */
export function refuseUnclearText({ text, value, notes, places }: FactSelection): void {
  if (places && !notes)
    throw invalidInputError('notes is required with places, because their values get the places');
  if (places && text !== undefined)
    throw invalidInputError('places and text exclude each other: send two requests');
  if (places && new Set(Object.values(places)).size < Object.keys(places).length)
    throw invalidInputError('places must have each place only once');
  if (value !== undefined && text === undefined)
    throw invalidInputError('text is required with value, because it replaces the value');
  if (text !== undefined && !notes)
    throw invalidInputError('notes is required with text, because it replaces their facts');
}

/** The error if no note of a selection can be resolved. */
export const unresolvableError = ({ text, places }: Pick<FactSelection, 'text' | 'places'>) =>
  taskConflict(
    places
      ? 'No open note of this selection is about values with these keys'
      : text === undefined
        ? 'No open note of this selection can be resolved by removing its text'
        : 'No open note of this selection names a value that a text can replace',
  );

/** Whether a note can be resolved by removing its facts, by a text, or by places for its values. */
export const isChangeable = (
  note: Note,
  { text, places }: Pick<FactSelection, 'text' | 'places'>,
): boolean =>
  places
    ? isPlaceable(note) && note.keys!.some((key) => Object.hasOwn(places, key))
    : text === undefined
      ? isDroppable(note)
      : isTypeable(note);

/** Removes the facts of notes, and resolves these notes. */
export async function removeNotedFacts(
  deps: NeededPorts<'editing' | 'noteStates'>,
  result: EditableTask,
  request: FactRemovalRequest,
): Promise<FactRemoval> {
  const removal = await deps.editing.editor.removeFacts(result, request);
  await resolveRemovedNotes(deps, result, { removal, state: 'dropped', by: request.by });
  return removal;
}

/**
 * Writes a typed text in place of what notes report, and resolves these notes as corrected.
 * @throws DomainError INVALID_INPUT if a note names several values, and none is chosen
 */
export async function typeNotedText(
  deps: NeededPorts<'editing' | 'noteStates'>,
  result: EditableTask,
  { notes: allNotes, by, text, value }: Pick<FactRemovalRequest, 'notes' | 'by'> & TypedReplacement,
): Promise<FactRemoval> {
  const notes = allNotes.filter((note) => value === undefined || noteValues(note).includes(value));
  const unclearNote = value === undefined && notes.find((note) => noteValues(note).length > 1);
  if (unclearNote)
    throw invalidInputError(
      `value is required, because the note names several: ${noteValues(unclearNote)
        .map((one) => `"${one}"`)
        .join(', ')}`,
    );
  if (notes.length === 0 && allNotes.length > 0)
    throw invalidInputError('None of the notes names this value');
  const request = { notes, text, by, ...withoutUndefined({ value }) };
  const removal = await deps.editing.editor.replaceFacts(result, request);
  const state = 'done';
  // An edit by hand reopens such notes if the page has their values, which the text may contain.
  const isWithin = notes.some((note) => noteValues(note).some((one) => text.includes(one)));
  await resolveRemovedNotes(deps, result, { removal, state, by, isEdit: !isWithin });
  return removal;
}

/** Writes unused values of contexts to places that a person chose, and resolves their notes. */
export async function placeNotedValues(
  deps: NeededPorts<'editing' | 'noteStates'>,
  result: EditableTask,
  request: ValuePlacementRequest,
): Promise<FactRemoval> {
  const removal = await deps.editing.editor.placeValues(result, request);
  await resolveRemovedNotes(deps, result, { removal, state: 'done', by: request.by });
  return removal;
}

/** Reads the contexts of the items of a task and of its base tasks, whose requests Temporal has. */
function createContextReader(
  { organizationId }: RequestCaller,
  { tasks }: NeededPorts<'tasks'>,
): ValuePlacementRequest['readContext'] {
  const requests = new Map<string, ReturnType<typeof tasks.request>>();
  return async ({ task: taskId, page }) => {
    const request = requests.get(taskId!) ?? tasks.request(organizationId, taskId!);
    requests.set(taskId!, request);
    const { work } = (await request).input;
    const items = work.type === 'generate_pages' ? work.items : [];
    return items.find(({ targetPageSlug }) => targetPageSlug === page)?.context ?? '';
  };
}

const isSelectedNote = (note: Note, { page, kind, slots, notes, ...change }: FactSelection) =>
  isChangeable(note, change) &&
  (page === undefined || note.page === page) &&
  (kind === undefined || note.kind === kind) &&
  (!slots || noteSlots(note).some((slot) => slots.includes(slot))) &&
  (!notes || notes.includes(noteIdOf(note)));

interface RemovalOutcome {
  removal: FactRemoval;
  state: 'dropped' | 'done';
  isEdit?: boolean;
  by: Creator | null;
}

/** Records the notes whose facts are gone as resolved, each in the task that has the note. */
async function resolveRemovedNotes(
  { noteStates }: NeededPorts<'noteStates'>,
  { taskId, organizationId }: EditableTask,
  { removal, state, by, isEdit = true }: RemovalOutcome,
): Promise<void> {
  const notes = [...removal.removed, ...removal.gone];
  for (const [noteTaskId, taskNotes] of Map.groupBy(notes, (note) => note.task ?? taskId))
    await noteStates.set({
      organizationId,
      taskId: noteTaskId,
      noteIds: taskNotes.map(noteIdOf),
      state,
      by,
      at: new Date(),
      isEdit,
      ...(noteTaskId !== taskId && { droppedIn: taskId }),
    });
}

/**
 * Removes the facts of notes from a page that is being edited, as a version of its task or batch.
 * @throws DomainError OUTDATED if the page changed since it was opened; NOT_FOUND if none of the
 *   notes is on the page; CONFLICT if no fact can be removed by itself; as `PageEditor.open`
 */
export async function removePageFacts(
  caller: RequestCaller,
  deps: NeededPorts<'editing' | 'noteStates'>,
  task: EditableTask,
  { slug, change }: { slug: string; change: Extract<EditorChange, { drop: string[] }> },
): Promise<void> {
  const { digest } = await deps.editing.editor.open(task, slug);
  if (digest !== change.digest) throw outdatedPageError(slug);
  const notes = task.notes.filter(
    (note) => notedPage(note) === slug && change.drop.includes(noteIdOf(note)),
  );
  if (notes.length === 0) throw new DomainError('NOT_FOUND', 'Note not found');
  const by = editorUser(caller);
  const request = { notes: notes.filter(isDroppable), allNotes: task.notes, by };
  const removal = await removeNotedFacts(deps, task, request);
  if (removal.removed.length + removal.gone.length === 0) throw notRemovableError(removal, slug);
  await settleEditedNotes(by, deps, task, [slug]);
}
