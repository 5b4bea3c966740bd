import type { Kysely } from 'kysely';

/** The task whose hidden ref has a preview's commit, if that is another task. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('preview_deployments').addColumn('held_by', 'text').execute();
}
