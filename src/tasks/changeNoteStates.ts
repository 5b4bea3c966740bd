import type { Creator } from '../contract/creator.ts';
import { noteIdOf } from '../contract/notes/noteIds.ts';
import type { NoteStates, SettableNoteState } from '../contract/notes/noteStates.ts';
import { needsCheck, type Note, outcomeNotes, TASK_RUNNING } from '../contract/task.ts';
import { DomainError } from '../errors.ts';
import type { TaskRecord } from '../temporal/tasks/taskService.ts';
import type { RequestCaller } from './caller.ts';
import type { NeededPorts } from './ports.ts';
import { taskCreator } from './startTask.ts';

/** Which notes get which state: the notes of a page, those with the given ids, or all. */
export interface NoteStatesRequest {
  state: SettableNoteState;
  page?: string;
  notes?: string[];
}

/**
 * Sets the state of a task's notes, which say what a person should check: a person resolves a note
 * that is done or accepted, or opens it again.
 * @returns the notes that match the request
 * @throws DomainError NOT_FOUND, CONFLICT while the task runs
 */
export async function changeNoteStates(
  caller: RequestCaller,
  { tasks, noteStates }: NeededPorts<'tasks' | 'noteStates'>,
  taskId: string,
  { state, ...selection }: NoteStatesRequest,
): Promise<Note[]> {
  const { organizationId } = caller;
  const notes = selectNotes(finishedNotes(await tasks.find(organizationId, taskId)), selection);
  await setNoteStates(noteStates, {
    organizationId,
    taskId,
    notes,
    state,
    by: taskCreator(caller),
  });
  return notes;
}

interface NoteStateChange extends Pick<NoteStatesRequest, 'state'> {
  organizationId: string;
  /** The task in whose view the notes are read. */
  taskId: string;
  notes: readonly Note[];
  /** null: somebody without an account. */
  by: Creator | null;
}

/**
 * Sets the state of each note in the task that has the note, so that all tasks that build on it see
 * the state. Notes on changes that were asked for keep theirs.
 */
export async function setNoteStates(
  noteStates: NoteStates,
  { organizationId, taskId, notes, state, by }: NoteStateChange,
): Promise<void> {
  const checkedNotes = notes.filter(needsCheck);
  for (const [task, taskNotes] of Map.groupBy(checkedNotes, (note) => note.task ?? taskId))
    for (const noteIds of chunk(taskNotes.map(noteIdOf), NOTES_AT_ONCE))
      if (state === 'open') await noteStates.reopen({ taskId: task, noteIds });
      else
        await noteStates.set({ organizationId, taskId: task, noteIds, state, by, at: new Date() });
}

/** Notes of one statement. A batch may have 50,000, and a statement 65,535 parameters. */
const NOTES_AT_ONCE = 1_000;

function* chunk<T>(list: readonly T[], size: number): Generator<T[]> {
  for (let start = 0; start < list.length; start += size) yield list.slice(start, start + size);
}

function finishedNotes({ finished }: TaskRecord): Note[] {
  if (!finished) throw new DomainError('CONFLICT', TASK_RUNNING);
  return outcomeNotes(finished);
}

/** The notes that a request selects. @throws DomainError NOT_FOUND for an unknown id */
export function selectNotes(
  allNotes: Note[],
  { page, notes: noteIds }: Omit<NoteStatesRequest, 'state'>,
): Note[] {
  const unknownId = noteIds?.find((id) => !allNotes.some((note) => noteIdOf(note) === id));
  if (unknownId !== undefined) throw new DomainError('NOT_FOUND', 'Note not found');
  return allNotes.filter(
    (note) =>
      (!noteIds || noteIds.includes(noteIdOf(note))) && (page === undefined || note.page === page),
  );
}
