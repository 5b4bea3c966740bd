import type { Note } from '../contract/task.ts';
import { DomainError } from '../errors.ts';
import type { TaskRecord, Tasks } from '../temporal/tasks/tasks.ts';
import type { Caller } from './context.ts';

const MOST_TASKS = 50;
const MOST_NOTES = 300;
/** What became of a result, not what is in it. */
const fates = ['held', 'unpublished', 'deployment'];
const unknown: Note = {
  kind: 'more',
  text: 'It is built on tasks that are not kept any more: look at all that goes live',
};

/**
 * Notes on what goes live when a task's result is published: the task's own, and those of the tasks that it is built
 * on, down to one that is live. Where that one is not kept any more, a note says so. Those furthest down come first.
 */
export async function notesDownFrom(
  { tasks }: { tasks: Pick<Tasks, 'find'> },
  { organizationId }: Pick<Caller, 'organizationId'>,
  taskId: string,
): Promise<Note[]> {
  let notes: Note[] = [];
  let next: string | undefined = taskId;
  for (let n = 0; next !== undefined; n++) {
    const task: TaskRecord | null =
      n < MOST_TASKS ? await tasks.find(organizationId, next).catch(nullIfNotFound) : null;
    if (!task) notes.unshift(unknown);
    if (task?.finished?.status !== 'completed' || (n > 0 && task.finished.published)) break;
    notes = [...(task.finished.output.notes ?? []), ...notes];
    next = task.onto;
  }
  const distinct = new Map(notes.filter(({ kind }) => !fates.includes(kind)).map((note) => [note.text, note]));
  return bounded([...distinct.values()]);
}

function nullIfNotFound(error: unknown): null {
  if (error instanceof DomainError && error.code === 'NOT_FOUND') return null;
  throw error;
}

function bounded(notes: Note[]): Note[] {
  const rest = notes.length - MOST_NOTES;
  return rest > 0 ? [...notes.slice(0, MOST_NOTES), { kind: 'more', text: `${rest} more of these` }] : notes;
}
