import type { Kysely } from 'kysely';
import type { Schema } from '../storage/schema.ts';

/** The most valid sessions of a person. */
const MOST = 50;

/** Keeps a person's 50 most recently used sessions, and ends all others. */
export async function endOldSessions(db: Kysely<Schema>, userId: string): Promise<void> {
  const own = db.selectFrom('sessions').select('id').where('user_id', '=', userId);
  const kept = own.orderBy('updated_at', 'desc').orderBy('created_at', 'desc').limit(MOST);
  await db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('id', 'not in', kept)
    .execute();
}
