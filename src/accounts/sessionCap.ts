import type { Kysely } from 'kysely';
import type { Schema } from '../storage/schema.ts';

/** Sessions in force that a person may have. */
const MOST = 50;

/** Ends the sessions of a person that were used longest ago, where there are more than 50. */
export async function endOldSessions(db: Kysely<Schema>, userId: string): Promise<void> {
  const own = db.selectFrom('sessions').select('id').where('user_id', '=', userId);
  const kept = own.orderBy('updated_at', 'desc').orderBy('created_at', 'desc').limit(MOST);
  await db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('id', 'not in', kept)
    .execute();
}
