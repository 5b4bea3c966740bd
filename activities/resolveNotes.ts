import type { Creator } from '../src/contract/creator.ts';
import type { ActivityDependencies, TaskRef } from './deps.ts';

interface ResolveNotesInput {
  task: TaskRef;
  /** The notes to resolve as `dropped`, each with the task that wrote it. */
  dropped: { taskId: string; noteId: string }[];
  by?: Creator;
}

/**
 * Records that a task resolved notes by removing their facts from the pages: the notes get the
 * state `dropped`, and `droppedIn` names the task. A note says what a person should check, such as
 * a price of the template. Earlier tasks may have written it. Repeatable: it writes the same rows.
 */
export function createResolveNotes({ noteStates }: Pick<ActivityDependencies, 'noteStates'>) {
  return async ({
    task: { taskId, organizationId, createdAt },
    dropped,
    by,
  }: ResolveNotesInput): Promise<void> => {
    for (const [noteTaskId, taskNotes] of Map.groupBy(dropped, (note) => note.taskId))
      await noteStates.set({
        organizationId,
        taskId: noteTaskId,
        noteIds: taskNotes.map(({ noteId }) => noteId),
        state: 'dropped',
        by: by ?? null,
        droppedIn: taskId,
        at: new Date(createdAt),
      });
  };
}
