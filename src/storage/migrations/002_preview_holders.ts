import type { Kysely } from 'kysely';

/** The task under whose hidden ref a preview's commit is found, where it is another one's. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('preview_deployments').addColumn('held_by', 'text').execute();
}
