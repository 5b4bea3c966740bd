import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Schema } from '../../src/storage/schema.ts';

/** Adds copies of an API key, as if its maker had made that many more of it. */
export async function copyKey(db: Kysely<Schema>, keyId: string, copies: number): Promise<void> {
  const row = await db
    .selectFrom('api_keys')
    .selectAll()
    .where('id', '=', keyId)
    .executeTakeFirstOrThrow();
  const rows = Array.from({ length: copies }, () => ({
    ...row,
    id: randomUUID(),
    counts_for: row.counts_for ?? row.id,
    hash: randomUUID(),
  }));
  await db.insertInto('api_keys').values(rows).execute();
}
