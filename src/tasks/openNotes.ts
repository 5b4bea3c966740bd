import type { NamedCreator } from '../contract/creator.ts';
import { noteIdOf } from '../contract/notes/noteIds.ts';
import type { NoteState, ResolvedNote } from '../contract/notes/noteStates.ts';
import { type Note, outcomeNotes } from '../contract/task.ts';
import type { TaskRecord } from '../temporal/tasks/taskService.ts';
import type { RequestCaller } from './caller.ts';
import type { NeededPorts } from './ports.ts';
import { nullIfNotFound } from './taskResults.ts';

const MOST_TASKS = 50;
const MOST_NOTES = 300;
const unknownTasksNote: Note = {
  kind: 'changed',
  text: 'It builds on tasks whose notes have expired. Check all pages before you publish them',
};

/** A note with the id of the task that has it. */
export type NoteOfTask = Note & { task: string };

type OpenNotesPorts = NeededPorts<'tasks' | 'noteStates' | 'publications'>;

/**
 * Collects the open notes on everything that goes live when a task's result is published. A note
 * says what a person should check on a page, and is open until a person or a task resolves it.
 * Reads the task's own notes, and those of its base tasks, down to the first published one. Stops
 * at a task that removed facts (`drop`), since it has copies of the other open notes of its base
 * tasks. If a task is no longer kept, a note says so. Notes of the lowest base task come first.
 */
export async function collectOpenNotes(
  deps: OpenNotesPorts,
  { organizationId }: Pick<RequestCaller, 'organizationId'>,
  taskId: string,
): Promise<NoteOfTask[]> {
  let notes: NoteOfTask[] = [];
  const settledTexts = new Set<string>();
  let nextTaskId: string | undefined = taskId;
  for (let n = 0; nextTaskId !== undefined; n++) {
    const task: TaskRecord | null =
      n < MOST_TASKS
        ? await deps.tasks.find(organizationId, nextTaskId).catch(nullIfNotFound)
        : null;
    if (!task) notes.unshift({ ...unknownTasksNote, task: nextTaskId });
    if (task?.finished?.status !== 'completed') break;
    if (n > 0 && (await deps.publications.of([nextTaskId])).has(nextTaskId)) break;
    notes = [...(await openNotesOf(deps, task, settledTexts)), ...notes];
    nextTaskId = task.type === 'drop' ? undefined : task.baseTaskId;
  }
  const notesByText = new Map(
    notes.filter(({ kind }) => kind !== 'unpublished').map((note) => [note.text, note]),
  );
  return limitNoteCount([...notesByText.values()], taskId);
}

/**
 * The open notes of a task. A note whose fact another task removed stays open here, because this
 * task's result still has the fact.
 * @param settledTexts texts of the notes that were resolved in the tasks that build on this one;
 *   this function adds those that were resolved in this task
 */
async function openNotesOf(
  { noteStates }: OpenNotesPorts,
  { taskId, finished }: TaskRecord,
  settledTexts: Set<string>,
): Promise<NoteOfTask[]> {
  const notes = outcomeNotes(finished);
  const settledByKey = await readSettledNotes({ noteStates }, taskId, notes);
  for (const note of notes) {
    const settledNote = settledByKey.get(noteKey(note, taskId));
    if (settledNote && settledNote.droppedIn === undefined) settledTexts.add(note.text);
  }
  return notes
    .filter(({ text }) => !settledTexts.has(text))
    .map((note) => ({ ...note, task: note.task ?? taskId }));
}

function limitNoteCount(notes: NoteOfTask[], task: string): NoteOfTask[] {
  const remainingCount = notes.length - MOST_NOTES;
  return remainingCount > 0
    ? [
        ...notes.slice(0, MOST_NOTES),
        { task, kind: 'changed', text: `${remainingCount} more notes of this kind` },
      ]
    : notes;
}

/** A key that is unique across several tasks. */
const noteKey = (note: Note, taskId: string) => `${note.task ?? taskId} ${noteIdOf(note)}`;

/** The resolved notes among those shown at a task, by task and note id. */
async function readSettledNotes(
  { noteStates }: NeededPorts<'noteStates'>,
  taskId: string,
  notes: readonly Note[],
): Promise<Map<string, ResolvedNote>> {
  const tasks = [...new Set(notes.map(({ task = taskId }) => task))];
  const noteRows = await Promise.all(
    tasks.map(async (task) => ({ task, settled: await noteStates.of(task) })),
  );
  return new Map(
    noteRows.flatMap(({ task, settled }) => settled.map((row) => [`${task} ${row.noteId}`, row])),
  );
}

/** The state of a note, as responses show it. */
export interface NoteStateView {
  state: NoteState;
  by?: NamedCreator | null;
  at?: string;
  droppedIn?: string;
}

/** The states of the notes shown at a task, in the order of the notes. */
export async function readNoteStates(
  { noteStates, creators }: NeededPorts<'noteStates' | 'creators'>,
  taskId: string,
  notes: readonly Note[],
): Promise<NoteStateView[]> {
  if (notes.length === 0) return [];
  const settledByKey = await readSettledNotes({ noteStates }, taskId, notes);
  if (settledByKey.size === 0) return notes.map(() => ({ state: 'open' }));
  const noteRows = notes.map((note) => settledByKey.get(noteKey(note, taskId)));
  const namedCreators = await creators.named(noteRows.map((row) => row?.by ?? null));
  return noteRows.map((row, i): NoteStateView => {
    if (!row) return { state: 'open' };
    const { state, at, droppedIn } = row;
    return {
      state,
      by: namedCreators[i] ?? null,
      at: at.toISOString(),
      ...(droppedIn !== undefined && { droppedIn }),
    };
  });
}
