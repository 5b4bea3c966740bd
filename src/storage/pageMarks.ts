import type { Kysely } from 'kysely';
import { creatorIds, creatorFromIds } from '../contract/creator.ts';
import type { PageMarks } from '../contract/reviews/pageReviews.ts';
import { removeExpiredRows } from './removeExpiredRows.ts';
import type { Schema } from './schema.ts';

/** Stores which pages of tasks and batches people marked as fine or left out. */
export function createPageMarks(db: Kysely<Schema>): PageMarks {
  return {
    async of(taskId) {
      const rows = await db
        .selectFrom('page_marks')
        .selectAll()
        .where('task_id', '=', taskId)
        .orderBy('at', 'desc')
        .orderBy('slug')
        .execute();
      return rows.map(({ slug, mark, version, by_user, by_key, marker, guest_name, at }) => ({
        slug,
        mark,
        version,
        by: creatorFromIds(by_user, by_key),
        ...(guest_name !== null && { guest: { shareId: marker, name: guest_name } }),
        at,
      }));
    },

    set: ({ organizationId, taskId, by, mark, pages, at }) =>
      db.transaction().execute(async (tx) => {
        await removeExpiredRows(tx, 'page_marks');
        const guest = 'shareId' in by ? by : null;
        const { userId, keyId } = creatorIds('shareId' in by ? null : by);
        const marker = (guest?.shareId ?? userId ?? keyId)!;
        const uniquePages = [...new Map(pages.map((page) => [page.slug, page])).values()];
        await tx
          .deleteFrom('page_marks')
          .where('task_id', '=', taskId)
          .where('marker', '=', marker)
          .where(
            'slug',
            'in',
            uniquePages.map(({ slug }) => slug),
          )
          .execute();
        if (mark === null) return;
        const rows = uniquePages.map(({ slug, version }) => ({
          organization_id: organizationId,
          task_id: taskId,
          slug,
          marker,
          by_user: userId,
          by_key: keyId,
          guest_name: guest?.name ?? null,
          mark,
          version,
          at,
        }));
        await tx
          .insertInto('page_marks')
          .values(rows)
          // the same person may have marked the page at the same time
          .onConflict((conflict) =>
            conflict.columns(['task_id', 'slug', 'marker']).doUpdateSet((row) => ({
              mark: row.ref('excluded.mark'),
              guest_name: row.ref('excluded.guest_name'),
              version: row.ref('excluded.version'),
              at: row.ref('excluded.at'),
            })),
          )
          .execute();
      }),
  };
}
