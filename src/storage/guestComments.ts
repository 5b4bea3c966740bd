import type { Kysely } from 'kysely';
import { noteIdOf } from '../contract/notes/noteIds.ts';
import {
  type GuestComment,
  type GuestComments,
  guestLimits,
} from '../contract/reviews/guestComments.ts';
import { DomainError } from '../errors.ts';
import type { RowChanges } from './rowChanges.ts';
import { createRowCache } from './rowCache.ts';
import { removeExpiredRows } from './removeExpiredRows.ts';
import type { Schema } from './schema.ts';

interface GuestCommentOptions {
  /** Reports changes of rows. With it, rows are cached until they change. */
  changes?: RowChanges;
}

/** Stores what guests said about the pages of tasks and batches. */
export function createGuestComments(
  db: Kysely<Schema>,
  { changes }: GuestCommentOptions = {},
): GuestComments {
  const commentCache = createRowCache<readonly GuestComment[]>('guest_comments', changes);
  const readComments = async (taskId: string) => {
    const rows = await db
      .selectFrom('guest_comments')
      .select(['share_id', 'slug', 'text'])
      .where('task_id', '=', taskId)
      .orderBy('at')
      .execute();
    return rows.map(({ share_id: shareId, slug, text }): GuestComment => ({
      shareId,
      note: { page: slug, kind: 'comment', text },
    }));
  };
  return {
    of: async (taskId) => (await commentCache.get(taskId, () => readComments(taskId))) ?? [],

    async add({ organizationId, taskId, guest: { shareId }, note }) {
      await db.transaction().execute(async (tx) => {
        await removeExpiredRows(tx, 'guest_comments');
        // the lock makes comments of the same link wait for each other
        await tx.selectFrom('shares').select('id').where('id', '=', shareId).forUpdate().execute();
        const { count } = await tx
          .selectFrom('guest_comments')
          .select((column) => column.fn.countAll<string>().as('count'))
          .where('share_id', '=', shareId)
          .executeTakeFirstOrThrow();
        if (Number(count) >= guestLimits.comments)
          throw new DomainError(
            'CONFLICT',
            `The link already has ${guestLimits.comments} comments, which is the limit`,
          );
        const commentColumns = {
          task_id: taskId,
          note_id: noteIdOf(note),
          organization_id: organizationId,
          share_id: shareId,
          slug: note.page,
          text: note.text,
          at: new Date(),
        };
        await tx
          .insertInto('guest_comments')
          .values(commentColumns)
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      });
      commentCache.forget(taskId);
    },
  };
}
