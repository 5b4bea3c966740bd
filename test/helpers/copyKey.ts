import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Schema } from '../../src/storage/schema.ts';

/** What no key has when it is made. */
const setLater = { replaced_by: null, last_used_at: null, revoked_at: null };

/** Adds copies of an API key, rotated if it is, as if its maker had made that many more of it. */
export async function copyKey(db: Kysely<Schema>, keyId: string, copies: number): Promise<void> {
  const row = await db
    .selectFrom('api_keys')
    .selectAll()
    .where('id', '=', keyId)
    .executeTakeFirstOrThrow();
  const ids = Array.from({ length: copies }, () => randomUUID());
  const counts_for = row.counts_for ?? row.id;
  const rows = ids.map((id) => ({ ...row, ...setLater, id, counts_for, hash: randomUUID() }));
  await db.insertInto('api_keys').values(rows).execute();
  const { replaced_by } = row;
  if (replaced_by === null) return;
  await db.updateTable('api_keys').set({ replaced_by }).where('id', 'in', ids).execute();
}
