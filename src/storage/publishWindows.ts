import type { Kysely, Selectable } from 'kysely';
import type { PublishWindows, PendingPublish } from '../contract/publishWindows.ts';
import type { Schema } from './schema.ts';

const DAY = 86_400_000;
/** How much the clocks of timers and workers may differ. */
const EARLY_MS = 250;

/**
 * Stores publish windows. The first publish of a site opens a window of some seconds, and those
 * that come in this time join it, so that one push publishes all and the host builds once.
 */
export const createPublishWindows = (db: Kysely<Schema>): PublishWindows => ({
  join: (siteId, { commit, ...publish }, seconds) =>
    db.transaction().execute(async (trx) => {
      // the lock lets publishes of a site join one after the other: only the first opens a window
      await trx.selectFrom('sites').select('id').where('id', '=', siteId).forUpdate().execute();
      const publishesOfSite = trx.selectFrom('waiting_publishes').where('site_id', '=', siteId);
      const knownPublish = publishesOfSite.select('due_at').where('commit', '=', commit);
      const openWindow = publishesOfSite
        .select('due_at')
        .where('due_at', '>', new Date(Date.now() + EARLY_MS));
      const joinedWindow =
        (await knownPublish.executeTakeFirst()) ?? (await openWindow.executeTakeFirst());
      const dueAt = joinedWindow?.due_at ?? new Date(Date.now() + seconds * 1_000);
      await trx
        .deleteFrom('waiting_publishes')
        .where('site_id', '=', siteId)
        .where('due_at', '<', new Date(Date.now() - DAY))
        .execute();
      await trx
        .insertInto('waiting_publishes')
        .values({
          site_id: siteId,
          commit,
          held_by: publish.retainedBy,
          task_id: publish.taskId,
          base: publish.base,
          created_at: new Date(publish.createdAt),
          due_at: dueAt,
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      const millisecondsLeft = dueAt.getTime() - Date.now();
      return millisecondsLeft > EARLY_MS ? millisecondsLeft : 0;
    }),

  async take(siteId) {
    const rows = await db
      .updateTable('waiting_publishes')
      .set({ is_taken: true })
      .where('site_id', '=', siteId)
      .where('is_taken', '=', false)
      .where('due_at', '<=', new Date(Date.now() + EARLY_MS))
      .returningAll()
      .execute();
    return rows.map(presentPendingPublish);
  },
});

const presentPendingPublish = (row: Selectable<Schema['waiting_publishes']>): PendingPublish => ({
  commit: row.commit,
  retainedBy: row.held_by,
  taskId: row.task_id,
  base: row.base,
  createdAt: row.created_at.toISOString(),
});
