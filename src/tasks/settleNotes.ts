import type { Maker } from '../contract/maker.ts';
import { noteIdOf } from '../contract/noteIds.ts';
import type { NoteStates, SaidState } from '../contract/noteStates.ts';
import { type Note, notesIn } from '../contract/task.ts';
import { DomainError } from '../errors.ts';
import type { TaskRecord } from '../temporal/tasks/tasks.ts';
import type { Caller } from './caller.ts';
import type { Needs } from './ports.ts';
import { makerOf } from './start.ts';

/** Which notes to settle, and as what: the notes of a page, those with the given ids, or all. */
export interface SettleRequest {
  state: SaidState;
  page?: string;
  notes?: string[];
}

/**
 * Sets the state of a task's notes.
 * @returns the notes that match the request
 * @throws DomainError NOT_FOUND, CONFLICT while the task runs
 */
export async function settleNotes(
  caller: Caller,
  { tasks, noteStates }: Needs<'tasks' | 'noteStates'>,
  taskId: string,
  { state, ...meant }: SettleRequest,
): Promise<Note[]> {
  const { organizationId } = caller;
  const notes = notesMeant(await tasks.find(organizationId, taskId), meant);
  await setState(noteStates, { organizationId, taskId, notes, state, by: makerOf(caller) });
  return notes;
}

interface Setting extends Pick<SettleRequest, 'state'> {
  organizationId: string;
  /** The task in whose view the notes are read. */
  taskId: string;
  notes: readonly Note[];
  /** null: somebody without an account. */
  by: Maker | null;
}

/**
 * Settles each note in the task that has it, so that all tasks built on that task see its state.
 */
export async function setState(
  noteStates: NoteStates,
  { organizationId, taskId, notes, state, by }: Setting,
): Promise<void> {
  for (const [task, same] of Map.groupBy(notes, (note) => note.task ?? taskId)) {
    const noteIds = same.map(noteIdOf);
    if (state === 'open') await noteStates.reopen({ taskId: task, noteIds });
    else await noteStates.set({ organizationId, taskId: task, noteIds, state, by, at: new Date() });
  }
}

function notesMeant(
  { finished }: TaskRecord,
  { page, notes: ids }: Omit<SettleRequest, 'state'>,
): Note[] {
  if (!finished) throw new DomainError('CONFLICT', 'Task is still running');
  const all = notesIn(finished);
  const missing = ids?.find((id) => !all.some((note) => noteIdOf(note) === id));
  if (missing !== undefined) throw new DomainError('NOT_FOUND', 'Note not found');
  return all.filter(
    (note) => (!ids || ids.includes(noteIdOf(note))) && (page === undefined || note.page === page),
  );
}
