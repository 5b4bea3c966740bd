import type { Kysely } from 'kysely';

/** Current, past and failed deployments, and previews. */
export async function createDeployments(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('live_deployments')
    .addColumn('site_id', 'uuid', (column) =>
      column.primaryKey().references('sites.id').onDelete('cascade'),
    )
    .addColumn('commit', 'text', (column) => column.notNull())
    .addColumn('task_id', 'text')
    .addColumn('deployed_at', 'timestamptz', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('restores', 'timestamptz')
    .addColumn('pages_created', 'integer', (column) => column.notNull())
    .addColumn('pages_modified', 'integer', (column) => column.notNull())
    .addColumn('pages_deleted', 'integer', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('past_deployments')
    .addColumn('site_id', 'uuid', (column) =>
      column.notNull().references('sites.id').onDelete('cascade'),
    )
    .addColumn('commit', 'text', (column) => column.notNull())
    .addColumn('task_id', 'text')
    .addColumn('deployed_at', 'timestamptz')
    .addColumn('name', 'text')
    .addColumn('restores', 'timestamptz')
    .addColumn('pages_created', 'integer')
    .addColumn('pages_modified', 'integer')
    .addColumn('pages_deleted', 'integer')
    .addColumn('ended_at', 'timestamptz', (column) => column.notNull())
    .addPrimaryKeyConstraint('past_deployments_key', ['site_id', 'commit'])
    .execute();
  await db.schema
    .createTable('failed_deployments')
    .addColumn('site_id', 'uuid', (column) =>
      column.primaryKey().references('sites.id').onDelete('cascade'),
    )
    .addColumn('commit', 'text', (column) => column.notNull())
    .addColumn('task_id', 'text', (column) => column.notNull())
    .addColumn('failed_at', 'timestamptz', (column) => column.notNull())
    .execute();
  await createPreviews(db);
}

/** Previews. One without a commit was deleted before it was created. */
async function createPreviews(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('preview_deployments')
    .addColumn('task_id', 'text', (column) => column.primaryKey())
    .addColumn('site_id', 'uuid', (column) =>
      column.notNull().references('sites.id').onDelete('cascade'),
    )
    .addColumn('commit', 'text')
    .addColumn('held_by', 'text')
    .addColumn('onto', 'text')
    .addColumn('base', 'text')
    .addColumn('changed_at', 'timestamptz', (column) => column.notNull())
    .addColumn('deleted_at', 'timestamptz')
    .execute();
  await db.schema
    .createIndex('preview_deployments_changed')
    .on('preview_deployments')
    .column('changed_at')
    .execute();
}
