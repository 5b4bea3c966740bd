import type { Kysely } from 'kysely';

/** The host labels of removed sites, which nobody else gets for a while. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('kept_labels')
    .addColumn('label', 'text', (column) => column.primaryKey())
    .addColumn('organization_id', 'uuid', (column) => column.notNull().references('organizations.id'))
    .addColumn('removed_at', 'timestamptz', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('kept_labels_organization').on('kept_labels').column('organization_id').execute();
}
