import { type Kysely, sql } from 'kysely';

/** When previews end. Those that are there count as changed now; so do those that an older version still writes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('preview_deployments')
    .addColumn('changed_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .addColumn('deleted_at', 'timestamptz')
    .execute();
  await db.schema.createIndex('preview_deployments_changed').on('preview_deployments').column('changed_at').execute();
}
