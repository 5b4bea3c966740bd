import type { NamedCreator } from '../contract/creator.ts';
import { noteIdOf } from '../contract/notes/noteIds.ts';
import type { NoteState, ResolvedNote } from '../contract/notes/noteStates.ts';
import { needsCheck, type Note, outcomeNotes } from '../contract/task.ts';
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

/** A note on a task's result, and how it was resolved for this result. */
export interface ResultNote {
  note: NoteOfTask;
  /** Absent if the note is open. */
  settled?: ResolvedNote;
}

/**
 * Collects all notes on everything that goes live when a task's result is published. Reads the
 * task's own notes, and those of its base tasks, down to the first published one. A note of a base
 * task whose fact was removed is resolved only for the results of the tasks that lack the fact. If
 * a task is no longer kept, a note says so. Notes of the lowest base task come first.
 */
export async function collectResultNotes(
  deps: OpenNotesPorts,
  { organizationId }: Pick<RequestCaller, 'organizationId'>,
  taskId: string,
): Promise<ResultNote[]> {
  let notes: ResultNote[] = [];
  const taskIds: string[] = [];
  for (let nextTaskId: string | undefined = taskId; nextTaskId !== undefined;) {
    const currentId: string = nextTaskId;
    const task: TaskRecord | null =
      taskIds.length < MOST_TASKS
        ? await deps.tasks.find(organizationId, currentId).catch(nullIfNotFound)
        : null;
    if (!task) notes.unshift({ note: { ...unknownTasksNote, task: currentId } });
    if (task?.finished?.status !== 'completed') break;
    if (taskIds.length > 0 && (await deps.publications.of([currentId])).has(currentId)) break;
    taskIds.push(currentId);
    notes = [...(await readResultNotes(deps, task, taskIds)), ...notes];
    nextTaskId = task.baseTaskId;
  }
  return notes;
}

async function readResultNotes(
  { noteStates }: OpenNotesPorts,
  { taskId, finished }: TaskRecord,
  taskIds: string[],
): Promise<ResultNote[]> {
  const notes = outcomeNotes(finished);
  const settledByKey = await readSettledNotes({ noteStates }, taskId, notes);
  return notes.map((note): ResultNote => {
    const settled = settledByKey.get(noteKey(note, taskId));
    const isSettled = settled && (!settled.droppedIn || taskIds.includes(settled.droppedIn));
    return { note: { ...note, task: note.task ?? taskId }, ...(isSettled && { settled }) };
  });
}

/**
 * Collects the open notes on everything that goes live when a task's result is published. A note
 * says what a person should check on a page, and is open until a person resolves it. A note that
 * was resolved in any of the tasks is resolved in all of them.
 */
export async function collectOpenNotes(
  deps: OpenNotesPorts,
  caller: Pick<RequestCaller, 'organizationId'>,
  taskId: string,
): Promise<NoteOfTask[]> {
  const notes = await collectResultNotes(deps, caller, taskId);
  const settledTexts = new Set(notes.flatMap(({ note, settled }) => (settled ? note.text : [])));
  const notesByText = new Map(
    notes
      .map(({ note }) => note)
      .filter(
        (note) => note.kind !== 'unpublished' && needsCheck(note) && !settledTexts.has(note.text),
      )
      .map((note) => [note.text, note]),
  );
  return limitNoteCount([...notesByText.values()], taskId);
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
  /** Whether a change of the page resolved it. */
  isEdit?: boolean;
}

/** The state of a note that nobody has resolved. */
export const firstNoteState = (note: Pick<Note, 'kind'>): NoteStateView => ({
  state: needsCheck(note) ? 'open' : 'dropped',
});

/** The states of the notes shown at a task, in the order of the notes. */
export async function readNoteStates(
  { noteStates, creators }: NeededPorts<'noteStates' | 'creators'>,
  taskId: string,
  notes: readonly Note[],
): Promise<NoteStateView[]> {
  if (notes.length === 0) return [];
  const settledByKey = await readSettledNotes({ noteStates }, taskId, notes);
  if (settledByKey.size === 0) return notes.map(firstNoteState);
  const noteRows = notes.map((note) => settledByKey.get(noteKey(note, taskId)));
  const namedCreators = await creators.named(noteRows.map((row) => row?.by ?? null));
  return noteRows.map((row, i): NoteStateView => {
    if (!row) return firstNoteState(notes[i]!);
    const { state, at, droppedIn, isEdit } = row;
    return {
      state,
      by: namedCreators[i] ?? null,
      at: at.toISOString(),
      ...(droppedIn !== undefined && { droppedIn }),
      ...(isEdit && { isEdit }),
    };
  });
}
