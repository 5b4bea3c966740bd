import type { Kysely } from 'kysely';
import { createAudit } from '../organizations/audit.ts';
import type { Schema } from '../storage/schema.ts';

/**
 * The header in which this service's own requests to better-auth pass on the client's IP address.
 */
export const ADDRESS_HEADER = 'x-agent-tasks-address';

/**
 * A new session. `path` is the path of the call to better-auth, `address` the client's IP address.
 */
export interface SessionBeginning {
  userId: string;
  path: string | undefined;
  address: string | undefined;
}

/**
 * Writes a sign-in to the audit log of each organization that the person belongs to. Ends the
 * person's oldest sessions if there are too many.
 */
export function noteSignIns(db: Kysely<Schema>): (beginning: SessionBeginning) => Promise<void> {
  const auditLog = createAudit(db);
  return async ({ userId, path = '', address = 'unknown' }) => {
    await endOldSessions(db, userId);
    if (path === '/change-password') return; // a new password only replaces the session
    const memberQuery = db
      .selectFrom('members')
      .select('organization_id')
      .where('user_id', '=', userId);
    for (const { organization_id: organizationId } of await memberQuery.execute())
      await auditLog.record({
        organizationId,
        userId,
        address,
        action: 'session.begin',
        subject: signInMethod(path),
      });
  };
}

function signInMethod(path: string): 'password' | 'provider' | 'link' {
  if (path === '/sign-in/email') return 'password';
  return path.includes('callback') ? 'provider' : 'link';
}

/** The most valid sessions of a person. */
const MOST_SESSIONS = 50;

/** Keeps a person's 50 most recently used sessions, and ends all others. */
async function endOldSessions(db: Kysely<Schema>, userId: string): Promise<void> {
  const ownSessions = db.selectFrom('sessions').select('id').where('user_id', '=', userId);
  const keptSessions = ownSessions
    .orderBy('updated_at', 'desc')
    .orderBy('created_at', 'desc')
    .limit(MOST_SESSIONS);
  await db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('id', 'not in', keptSessions)
    .execute();
}
