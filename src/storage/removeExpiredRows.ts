import { type Kysely, sql } from 'kysely';
import type { Schema } from './schema.ts';

/** Tasks can be read for 30 days, and run for 1 day at most. */
const KEPT_DAYS = 35;
const DAY = 24 * 60 * 60_000;
const REMOVED_AT_ONCE = 100;

/**
 * Removes some rows about tasks that have expired. Called for each change. Keeps the rows of
 * batches that still exist, and skips rows that another process is removing.
 */
export async function removeExpiredRows(
  db: Kysely<Schema>,
  table: 'note_states' | 'page_marks' | 'approvals' | 'guest_comments',
): Promise<void> {
  const expiredRows = sql`
    select ctid from ${sql.table(table)} as expired
    where at < ${new Date(Date.now() - KEPT_DAYS * DAY)}
      and not exists (select from batches where batches.id = expired.task_id)
    limit ${REMOVED_AT_ONCE} for update skip locked`;
  await sql`delete from ${sql.table(table)} where ctid = any(array(${expiredRows}))`.execute(db);
}
