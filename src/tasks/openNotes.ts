import type { NamedMaker } from '../contract/maker.ts';
import { noteIdOf } from '../contract/noteIds.ts';
import type { NoteState, SettledNote } from '../contract/noteStates.ts';
import { type Note, notesIn } from '../contract/task.ts';
import type { TaskRecord } from '../temporal/tasks/tasks.ts';
import type { Caller } from './caller.ts';
import type { Needs } from './ports.ts';
import { nullIfNotFound } from './results.ts';

const MOST_TASKS = 50;
const MOST_NOTES = 300;
const unknown: Note = {
  kind: 'changed',
  text: 'It is built on tasks that are not kept any more: look at all that goes live',
};

/** A note with the id of the task that has it. */
export type NoteOfTask = Note & { task: string };

type NotesDeps = Needs<'tasks' | 'noteStates' | 'publications'>;

/**
 * Collects the open notes on everything that goes live when a task's result is published: its own
 * notes, and those of the tasks that it builds on, down to the first published one. It does not
 * look below a drop task, which carries the remaining notes of the tasks below. A task that is no
 * longer kept gets a note that says so. Notes of the lowest task come first.
 */
export async function notesDownFrom(
  deps: NotesDeps,
  { organizationId }: Pick<Caller, 'organizationId'>,
  taskId: string,
): Promise<NoteOfTask[]> {
  let notes: NoteOfTask[] = [];
  const settled = new Set<string>();
  let next: string | undefined = taskId;
  for (let n = 0; next !== undefined; n++) {
    const task: TaskRecord | null =
      n < MOST_TASKS ? await deps.tasks.find(organizationId, next).catch(nullIfNotFound) : null;
    if (!task) notes.unshift({ ...unknown, task: next });
    if (task?.finished?.status !== 'completed') break;
    if (n > 0 && (await deps.publications.of([next])).has(next)) break;
    notes = [...(await openNotes(deps, task, settled)), ...notes];
    next = task.type === 'drop' ? undefined : task.onto;
  }
  const distinct = new Map(
    notes.filter(({ kind }) => kind !== 'unpublished').map((note) => [note.text, note]),
  );
  return bounded([...distinct.values()], taskId);
}

/**
 * The open notes of a task. Notes dropped in another task stay open here, because this result still
 * has their facts.
 * @param above texts of the notes that were settled in tasks above; this task's settled notes are
 *   added
 */
async function openNotes(
  { noteStates }: NotesDeps,
  { taskId, finished }: TaskRecord,
  above: Set<string>,
): Promise<NoteOfTask[]> {
  const notes = notesIn(finished);
  const settled = await settledOf({ noteStates }, taskId, notes);
  for (const note of notes) {
    const found = settled.get(keyOf(note, taskId));
    if (found && found.droppedIn === undefined) above.add(note.text);
  }
  return notes
    .filter(({ text }) => !above.has(text))
    .map((note) => ({ ...note, task: note.task ?? taskId }));
}

function bounded(notes: NoteOfTask[], task: string): NoteOfTask[] {
  const rest = notes.length - MOST_NOTES;
  return rest > 0
    ? [...notes.slice(0, MOST_NOTES), { task, kind: 'changed', text: `${rest} more of these` }]
    : notes;
}

/** A key that is unique across several tasks. */
const keyOf = (note: Note, taskId: string) => `${note.task ?? taskId} ${noteIdOf(note)}`;

/** The settled notes among those shown at a task, by task and note id. */
async function settledOf(
  { noteStates }: Needs<'noteStates'>,
  taskId: string,
  notes: readonly Note[],
): Promise<Map<string, SettledNote>> {
  const tasks = [...new Set(notes.map(({ task = taskId }) => task))];
  const rows = await Promise.all(
    tasks.map(async (task) => ({ task, settled: await noteStates.of(task) })),
  );
  return new Map(
    rows.flatMap(({ task, settled }) => settled.map((row) => [`${task} ${row.noteId}`, row])),
  );
}

/** The state of a note, as answers show it. */
export interface ToldState {
  state: NoteState;
  by?: NamedMaker | null;
  at?: string;
  droppedIn?: string;
}

/** The states of the notes shown at a task, in the order of the notes. */
export async function statesOf(
  { noteStates, makers }: Needs<'noteStates' | 'makers'>,
  taskId: string,
  notes: readonly Note[],
): Promise<ToldState[]> {
  if (notes.length === 0) return [];
  const settled = await settledOf({ noteStates }, taskId, notes);
  if (settled.size === 0) return notes.map(() => ({ state: 'open' }));
  const rows = notes.map((note) => settled.get(keyOf(note, taskId)));
  const named = await makers.named(rows.map((row) => row?.by ?? null));
  return rows.map((row, i): ToldState => {
    if (!row) return { state: 'open' };
    const { state, at, droppedIn } = row;
    return {
      state,
      by: named[i] ?? null,
      at: at.toISOString(),
      ...(droppedIn !== undefined && { droppedIn }),
    };
  });
}
