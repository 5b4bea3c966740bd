import type { Kysely } from 'kysely';
import { createAudit } from '../organizations/audit.ts';
import type { Schema } from '../storage/schema.ts';
import { endOldSessions } from './sessionCap.ts';

/**
 * The header in which this service's own requests to better-auth pass on the client's IP address.
 */
export const ADDRESS_HEADER = 'x-agent-tasks-address';

/**
 * A new session. `path` is the path of the call to better-auth, `address` the client's IP address.
 */
export interface Beginning {
  userId: string;
  path: string | undefined;
  address: string | undefined;
}

/**
 * Writes a sign-in to the audit log of each organization that the person belongs to. Ends the
 * person's oldest sessions if there are too many.
 */
export function noteSignIns(db: Kysely<Schema>): (beginning: Beginning) => Promise<void> {
  const audit = createAudit(db);
  return async ({ userId, path = '', address = 'unknown' }) => {
    await endOldSessions(db, userId);
    if (path === '/change-password') return; // a new password only replaces the session
    const members = db
      .selectFrom('members')
      .select('organization_id')
      .where('user_id', '=', userId);
    for (const { organization_id: organizationId } of await members.execute())
      await audit.record({
        organizationId,
        userId,
        address,
        action: 'session.begin',
        subject: wayOf(path),
      });
  };
}

function wayOf(path: string): 'password' | 'provider' | 'link' {
  if (path === '/sign-in/email') return 'password';
  return path.includes('callback') ? 'provider' : 'link';
}
