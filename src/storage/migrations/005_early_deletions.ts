import type { Kysely } from 'kysely';

/** A preview can be deleted before it is made. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('preview_deployments')
    .alterColumn('commit', (column) => column.dropNotNull())
    .execute();
}
