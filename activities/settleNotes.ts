import type { Maker } from '../src/contract/maker.ts';
import type { ActivityDeps, TaskRef } from './deps.ts';

interface SettleNotes {
  task: TaskRef;
  /** The notes whose subjects the task removed, each with the task that wrote the note. */
  dropped: { taskId: string; noteId: string }[];
  by?: Maker;
}

/** Records that a task dropped notes. Repeatable: it writes the same rows. Throws UNAVAILABLE. */
export function createSettleNotes({ noteStates }: Pick<ActivityDeps, 'noteStates'>) {
  return async ({
    task: { taskId, organizationId, createdAt },
    dropped,
    by,
  }: SettleNotes): Promise<void> => {
    for (const [of, same] of Map.groupBy(dropped, (note) => note.taskId))
      await noteStates.set({
        organizationId,
        taskId: of,
        noteIds: same.map(({ noteId }) => noteId),
        state: 'dropped',
        by: by ?? null,
        droppedIn: taskId,
        at: new Date(createdAt),
      });
  };
}
