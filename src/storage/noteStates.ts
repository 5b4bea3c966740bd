import type { Kysely } from 'kysely';
import { creatorIds, creatorFromIds } from '../contract/creator.ts';
import { withoutUndefined } from '../contract/withoutUndefined.ts';
import type { NoteStates, ResolvedNote } from '../contract/notes/noteStates.ts';
import { removeExpiredRows } from './removeExpiredRows.ts';
import type { RowChanges } from './rowChanges.ts';
import { createRowCache } from './rowCache.ts';
import type { Schema } from './schema.ts';

interface NoteStateOptions {
  /** Reports changes of rows. With it, rows are cached until they change. */
  changes?: RowChanges;
}

/**
 * Records which notes of tasks are resolved, and how: fixed, accepted, or removed with their fact.
 * A note without a row is open. (A note is something that a person should check on a page.)
 */
export function createNoteStates(
  db: Kysely<Schema>,
  { changes }: NoteStateOptions = {},
): NoteStates {
  const stateCache = createRowCache<readonly ResolvedNote[]>('note_states', changes);
  const readStates = async (taskId: string) => {
    const rows = await db
      .selectFrom('note_states')
      .selectAll()
      .where('task_id', '=', taskId)
      .execute();
    return rows.map((row): ResolvedNote => ({
      noteId: row.note_id,
      state: row.state,
      at: row.at,
      by: creatorFromIds(row.by_user, row.by_key),
      ...withoutUndefined({ droppedIn: row.dropped_in ?? undefined }),
      ...(row.is_edit && { isEdit: true }),
    }));
  };
  return {
    of: async (taskId) => (await stateCache.get(taskId, () => readStates(taskId))) ?? [],

    async set({ organizationId, taskId, noteIds, state, by, at, droppedIn, isEdit = false }) {
      if (noteIds.length === 0) return;
      await removeExpiredRows(db, 'note_states');
      const { userId, keyId } = creatorIds(by);
      const resolvedColumns = {
        by_user: userId,
        by_key: keyId,
        state,
        at,
        dropped_in: droppedIn ?? null,
        is_edit: isEdit,
      };
      const rows = [...new Set(noteIds)].map((note_id) => ({
        organization_id: organizationId,
        task_id: taskId,
        note_id,
        ...resolvedColumns,
      }));
      await db
        .insertInto('note_states')
        .values(rows)
        .onConflict((conflict) =>
          conflict.columns(['task_id', 'note_id']).doUpdateSet(resolvedColumns),
        )
        .execute();
      stateCache.forget(taskId);
    },

    async reopen({ taskId, noteIds }) {
      if (noteIds.length === 0) return;
      await db
        .deleteFrom('note_states')
        .where('task_id', '=', taskId)
        .where('note_id', 'in', noteIds)
        .execute();
      stateCache.forget(taskId);
    },
  };
}
