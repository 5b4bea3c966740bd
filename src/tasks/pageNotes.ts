import { noteIdOf } from '../contract/notes/noteIds.ts';
import type { Creator } from '../contract/creator.ts';
import { needsCheck, type Note, notedPage } from '../contract/task.ts';
import type { OfferedPage, OpenedPage } from '../editor/protocol.ts';
import type { EditableTask } from '../editor/editableTask.ts';
import type { RequestCaller } from './caller.ts';
import type { NeededPorts } from './ports.ts';
import { firstNoteState, readNoteStates } from './openNotes.ts';
import { setNoteStates, type NoteStatesRequest } from './changeNoteStates.ts';

type PageNotesPorts = NeededPorts<'noteStates' | 'creators' | 'editing'>;

const notesOnPage = ({ notes }: EditableTask, slug: string) =>
  notes.filter((note) => notedPage(note) === slug);

/** Adds their states to a page's notes, for the editor. */
export async function addNoteStates(
  deps: PageNotesPorts,
  task: EditableTask,
  page: OpenedPage,
): Promise<OfferedPage['notes']> {
  const noteStateViews = await readNoteStates(deps, task.taskId, notesOnPage(task, page.slug));
  return page.notes.map((note, i) => {
    const { state, by, droppedIn = task.taskId } = noteStateViews[i] ?? firstNoteState(note);
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
export const editorUser = ({ userId }: RequestCaller) => (userId === undefined ? null : { userId });

/** Sets the state of notes on a page that is being edited. */
export async function settlePageNotes(
  caller: RequestCaller,
  { noteStates }: PageNotesPorts,
  task: EditableTask,
  {
    slug,
    state,
    notes: noteIdsToSet,
  }: Required<Pick<NoteStatesRequest, 'state' | 'notes'>> & { slug: string },
): Promise<void> {
  const { organizationId, taskId } = task;
  const notes = notesOnPage(task, slug).filter((note) => noteIdsToSet.includes(noteIdOf(note)));
  await setNoteStates(noteStates, { organizationId, taskId, notes, state, by: editorUser(caller) });
}

/**
 * Updates the states of the notes of pages after an edit by hand, or after its undo. Resolves notes
 * whose facts are gone. Reopens notes that an earlier version resolved and whose facts are back.
 * Keeps states that a person has set.
 */
export async function settleEditedNotes(
  by: Creator | null,
  { noteStates, editing }: NeededPorts<'noteStates' | 'editing'>,
  task: EditableTask,
  slugs: string[],
): Promise<void> {
  const { organizationId } = task;
  const factsStanding = await editing.editor.standing(task, slugs);
  const notes = task.notes.filter((note) => needsCheck(note) && factsStanding.has(noteIdOf(note)));
  for (const { taskId, noteIds } of groupNoteIds(task, notes)) {
    const settledNotes = new Map((await noteStates.of(taskId)).map((row) => [row.noteId, row]));
    const goneIds = noteIds.filter(
      (id) => factsStanding.get(id) === false && !settledNotes.has(id),
    );
    const returnedIds = noteIds.filter(
      (id) => factsStanding.get(id) === true && settledNotes.get(id)?.isEdit,
    );
    await noteStates.set({
      organizationId,
      taskId,
      by,
      at: new Date(),
      isEdit: true,
      state: 'done',
      noteIds: goneIds,
    });
    await noteStates.reopen({ taskId, noteIds: returnedIds });
  }
}

/** Groups notes by the task that has them, because the state of a note is stored in that task. */
const groupNoteIds = ({ taskId }: EditableTask, notes: Note[]) =>
  [...Map.groupBy(notes, (note) => note.task ?? taskId)].map(([task, taskNotes]) => ({
    taskId: task,
    noteIds: taskNotes.map(noteIdOf),
  }));
