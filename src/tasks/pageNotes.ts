import { noteIdOf } from '../contract/noteIds.ts';
import type { Note } from '../contract/task.ts';
import type { OfferedPage, OpenedPage } from '../editor/protocol.ts';
import type { EditableTask } from '../editor/editableTask.ts';
import type { Caller } from './caller.ts';
import type { Needs } from './ports.ts';
import { statesOf } from './openNotes.ts';
import { setState, type SettleRequest } from './settleNotes.ts';

type Deps = Needs<'noteStates' | 'makers' | 'editing'>;

const notesOn = ({ notes }: EditableTask, slug: string) =>
  notes.filter(({ page }) => page === slug);

/** A page's notes with their states. */
export async function withStates(
  deps: Deps,
  task: EditableTask,
  page: OpenedPage,
): Promise<OfferedPage['notes']> {
  const states = await statesOf(deps, task.taskId, notesOn(task, page.slug));
  return page.notes.map((note, i) => {
    const { state = 'open', by, droppedIn = task.taskId } = states[i] ?? {};
    const isElsewhere = droppedIn !== task.taskId;
    return {
      ...note,
      state,
      ...(by?.name && { by: by.name }),
      ...(isElsewhere && { isElsewhere }),
    };
  });
}

/** The person who edits. null for the holder of a link, who has no account. */
const editorOf = ({ userId }: Caller) => (userId === undefined ? null : { userId });

/** Sets the state of notes on a page that is being edited. */
export async function settlePageNotes(
  caller: Caller,
  { noteStates }: Deps,
  task: EditableTask,
  { slug, state, notes: ids }: Required<Pick<SettleRequest, 'state' | 'notes'>> & { slug: string },
): Promise<void> {
  const { organizationId, taskId } = task;
  const notes = notesOn(task, slug).filter((note) => ids.includes(noteIdOf(note)));
  await setState(noteStates, { organizationId, taskId, notes, state, by: editorOf(caller) });
}

/**
 * Updates the states of a page's notes after an edit by hand. Settles notes whose facts are gone.
 * Reopens notes that an earlier edit settled and whose facts are back. States that a person set
 * stay.
 * @param dropped ids of the notes whose facts the edit should remove
 */
export async function settleByHand(
  caller: Caller,
  { noteStates, editing }: Deps,
  task: EditableTask,
  { slug, dropped = [] }: { slug: string; dropped?: string[] },
): Promise<void> {
  const { organizationId } = task;
  const standing = await editing.editor.standing(task, slug);
  for (const { taskId, noteIds } of byTask(task, notesOn(task, slug))) {
    const settled = new Map((await noteStates.of(taskId)).map((row) => [row.noteId, row]));
    const gone = noteIds.filter((id) => standing.get(id) === false && !settled.has(id));
    const back = noteIds.filter((id) => standing.get(id) === true && settled.get(id)?.isEdit);
    const common = {
      organizationId,
      taskId,
      by: editorOf(caller),
      at: new Date(),
      isEdit: true as const,
    };
    await noteStates.set({
      ...common,
      state: 'done',
      noteIds: gone.filter((id) => !dropped.includes(id)),
    });
    const isGone = (id: string) =>
      standing.get(id) === false || (dropped.length === 1 && !standing.has(id));
    const out = dropped.filter((id) => noteIds.includes(id) && isGone(id));
    await noteStates.set({ ...common, state: 'dropped', noteIds: out });
    await noteStates.reopen({ taskId, noteIds: back });
  }
}

/** Groups notes by the task that has them, because each note is settled in that task. */
const byTask = ({ taskId }: EditableTask, notes: Note[]) =>
  [...Map.groupBy(notes, (note) => note.task ?? taskId)].map(([task, same]) => ({
    taskId: task,
    noteIds: same.map(noteIdOf),
  }));
