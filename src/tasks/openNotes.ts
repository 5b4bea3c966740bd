import type { NamedMaker } from '../contract/maker.ts';
import { noteIdOf } from '../contract/noteIds.ts';
import type { NoteState, SettledNote } from '../contract/noteStates.ts';
import type { Note } from '../contract/task.ts';
import type { TaskRecord } from '../temporal/tasks/tasks.ts';
import type { Caller } from './caller.ts';
import type { Needs } from './ports.ts';
import { nullIfNotFound } from './results.ts';

const MOST_TASKS = 50;
const MOST_NOTES = 300;
/** What became of a result, not what is in it. */
const fates = ['held', 'unpublished', 'deployment'];
const unknown: Note = {
  kind: 'more',
  text: 'It is built on tasks that are not kept any more: look at all that goes live',
};

/** A note with the task that says so. */
export type NoteOfTask = Note & { task: string };

type NotesDeps = Needs<'tasks' | 'noteStates' | 'publications'>;

/**
 * Open notes on what goes live when a task's result is published: the task's own, and those of the
 * tasks that it is built on, down to one that is live. What a drop has left of the notes below it
 * are its own. Where a task is not kept any more, a note says so. Those furthest down come first.
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
    notes.filter(({ kind }) => !fates.includes(kind)).map((note) => [note.text, note]),
  );
  return bounded([...distinct.values()], taskId);
}

/**
 * What was dropped in another task is still in this one.
 * @param above texts of the notes that are settled in tasks above: with those of this task
 *   afterwards
 */
async function openNotes(
  { noteStates }: NotesDeps,
  { taskId, finished }: TaskRecord,
  above: Set<string>,
): Promise<NoteOfTask[]> {
  const notes = finished?.status === 'completed' ? (finished.output.notes ?? []) : [];
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
    ? [...notes.slice(0, MOST_NOTES), { task, kind: 'more', text: `${rest} more of these` }]
    : notes;
}

/** Tells the notes of several tasks apart. */
const keyOf = (note: Note, taskId: string) => `${note.task ?? taskId} ${noteIdOf(note)}`;

/** Which of the notes that are read at a task are settled, by task and id. */
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

/** What became of a note, as it is told. */
export interface ToldState {
  state: NoteState;
  by?: NamedMaker | null;
  at?: string;
  droppedIn?: string;
}

/** The states of the notes that are read at a task, in their order. */
export async function statesOf(
  { noteStates, makers }: Needs<'noteStates' | 'makers'>,
  taskId: string,
  notes: readonly Note[],
): Promise<ToldState[]> {
  if (notes.length === 0) return [];
  const settled = await settledOf({ noteStates }, taskId, notes);
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
