import type { Kysely } from 'kysely';

/** Which tasks' results went live with which deployment, and which of their pages are live now. */
export async function createPublicationTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('publications')
    .addColumn('task_id', 'text', (column) => column.primaryKey())
    .addColumn('site_id', 'uuid', (column) =>
      column.notNull().references('sites.id').onDelete('cascade'),
    )
    .addColumn('published_by', 'text', (column) => column.notNull())
    .addColumn('base', 'text', (column) => column.notNull())
    .addColumn('result', 'text', (column) => column.notNull())
    .addColumn('commit', 'text', (column) => column.notNull())
    .addColumn('published_at', 'timestamptz', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('publications_site')
    .on('publications')
    .columns(['site_id', 'published_at'])
    .execute();
  await db.schema
    .createTable('published_pages')
    .addColumn('published_by', 'text', (column) =>
      column.notNull().references('publications.task_id').onDelete('cascade'),
    )
    .addColumn('site_id', 'uuid', (column) => column.notNull())
    .addColumn('path', 'text', (column) => column.notNull())
    .addColumn('slug', 'text', (column) => column.notNull())
    .addColumn('blob', 'text', (column) => column.notNull())
    .addColumn('replaced_at', 'timestamptz')
    .addColumn('replaced_by', 'text')
    .addPrimaryKeyConstraint('published_pages_key', ['published_by', 'path'])
    .execute();
  await db.schema
    .createIndex('published_pages_path')
    .on('published_pages')
    .columns(['site_id', 'path'])
    .execute();
}
