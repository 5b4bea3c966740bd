import type { Kysely } from 'kysely';

/** The production deployment of each site that failed last. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('failed_deployments')
    .addColumn('site_id', 'uuid', (column) => column.primaryKey().references('sites.id').onDelete('cascade'))
    .addColumn('commit', 'text', (column) => column.notNull())
    .addColumn('task_id', 'text', (column) => column.notNull())
    .addColumn('failed_at', 'timestamptz', (column) => column.notNull())
    .execute();
}
