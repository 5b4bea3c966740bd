import type { Kysely } from 'kysely';

/**
 * Builds that tasks caused at hosts of teams, and publishes that wait to share one. A site that is
 * removed keeps its builds.
 */
export async function createBuilds(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('builds')
    .addColumn('site_id', 'uuid', (column) => column.notNull())
    .addColumn('commit', 'text', (column) => column.notNull())
    .addColumn('target', 'text', (column) => column.notNull())
    .addColumn('organization_id', 'uuid', (column) =>
      column.notNull().references('organizations.id').onDelete('cascade'),
    )
    .addColumn('task_id', 'text', (column) => column.notNull())
    .addColumn('month', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('builds_key', ['site_id', 'commit', 'target'])
    .execute();
  await db.schema.createIndex('builds_of_task').on('builds').column('task_id').execute();
  await db.schema
    .createIndex('builds_by_month')
    .on('builds')
    .columns(['organization_id', 'month'])
    .execute();
  await db.schema
    .createTable('waiting_publishes')
    .addColumn('site_id', 'uuid', (column) =>
      column.notNull().references('sites.id').onDelete('cascade'),
    )
    .addColumn('commit', 'text', (column) => column.notNull())
    .addColumn('held_by', 'text', (column) => column.notNull())
    .addColumn('task_id', 'text', (column) => column.notNull())
    .addColumn('base', 'text', (column) => column.notNull())
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .addColumn('due_at', 'timestamptz', (column) => column.notNull())
    .addColumn('is_taken', 'boolean', (column) => column.notNull().defaultTo(false))
    .addPrimaryKeyConstraint('waiting_publishes_key', ['site_id', 'commit'])
    .execute();
}
