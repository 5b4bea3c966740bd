import type { Kysely } from 'kysely';

/** Whom a key's requests, and the key itself, count for: limits and quotas hold for makers. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('api_keys').addColumn('counts_for', 'uuid').execute();
}
