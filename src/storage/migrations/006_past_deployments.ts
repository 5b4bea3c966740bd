import type { Kysely } from 'kysely';

/** Commits that were live, and until when. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('past_deployments')
    .addColumn('site_id', 'uuid', (column) => column.notNull().references('sites.id').onDelete('cascade'))
    .addColumn('commit', 'text', (column) => column.notNull())
    .addColumn('ended_at', 'timestamptz', (column) => column.notNull())
    .addPrimaryKeyConstraint('past_deployments_key', ['site_id', 'commit'])
    .execute();
}
