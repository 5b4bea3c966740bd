import { type Kysely, sql } from 'kysely';

/** Batches, and a row for each page. The last columns of each table have JSON. */
export async function createBatches(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('batches')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('organization_id', 'uuid', (column) =>
      column.notNull().references('organizations.id').onDelete('cascade'),
    )
    .addColumn('site_id', 'uuid', (column) =>
      column.notNull().references('sites.id').onDelete('cascade'),
    )
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .addColumn('created_by_user', 'text')
    .addColumn('created_by_key', 'text')
    .addColumn('request_id', 'text')
    .addColumn('body_hash', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('publish', 'boolean', (column) => column.notNull())
    .addColumn('on_warnings', 'text', (column) => column.notNull())
    .addColumn('hold_below', 'double precision')
    .addColumn('link_from', 'text')
    .addColumn('canary', 'integer')
    .addColumn('canary_approved', 'boolean', (column) => column.notNull().defaultTo(false))
    .addColumn('is_publishing', 'boolean', (column) => column.notNull().defaultTo(false))
    .addColumn('is_untold', 'boolean', (column) => column.notNull().defaultTo(false))
    .addColumn('model', 'text')
    .addColumn('base', 'text')
    .addColumn('commit', 'text')
    .addColumn('shown', 'text')
    .addColumn('pull_request_url', 'text')
    .addColumn('changed_at', 'timestamptz', (column) => column.notNull())
    .addColumn('finished_at', 'timestamptz')
    .addColumn('texts', 'text', (column) => column.notNull())
    .addColumn('error', 'text')
    .execute();
  await db.schema
    .createIndex('batches_of_organization')
    .on('batches')
    .columns(['organization_id', 'created_at', 'id'])
    .execute();
  await db.schema.createIndex('batches_of_site').on('batches').column('site_id').execute();
  await db.schema
    .createTable('batch_rows')
    .addColumn('batch_id', 'text', (column) =>
      column.notNull().references('batches.id').onDelete('cascade'),
    )
    .addColumn('number', 'integer', (column) => column.notNull())
    .addColumn('template_slug', 'text', (column) => column.notNull())
    .addColumn('target_slug', 'text', (column) => column.notNull())
    .addColumn('path', 'text')
    .addColumn('state', 'text', (column) =>
      column
        .notNull()
        .check(
          sql`state in ('waiting', 'written', 'committed', 'published', 'held', 'failed', 'skipped')`,
        ),
    )
    .addColumn('is_wrong', 'boolean', (column) => column.notNull())
    .addColumn('own_share', 'double precision')
    .addColumn('preview_url', 'text')
    .addColumn('published_url', 'text')
    .addColumn('input', 'text', (column) => column.notNull())
    .addColumn('external_id', 'text')
    .addColumn('page', 'text')
    .addColumn('edit', 'text')
    .addColumn('notes', 'text')
    .addColumn('error', 'text')
    .addPrimaryKeyConstraint('batch_rows_key', ['batch_id', 'number'])
    .execute();
  await db.schema
    .createIndex('batch_rows_by_state')
    .on('batch_rows')
    .columns(['batch_id', 'state', 'number'])
    .execute();
}
