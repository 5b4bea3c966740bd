import type { Kysely } from 'kysely';
import { createAudit } from '../organizations/audit.ts';
import type { Schema } from '../storage/schema.ts';
import { endOldSessions } from './sessionCap.ts';

/** The header field in which our own requests to better-auth carry the client's address. */
export const ADDRESS_HEADER = 'x-agent-tasks-address';

/**
 * A session that begins. `path` is that of better-auth's call; `address` the client's IP address.
 */
export interface Beginning {
  userId: string;
  path: string | undefined;
  address: string | undefined;
}

/**
 * Writes sign-ins to the audit of each organization of the person, whose oldest sessions end where
 * there are many.
 */
export function noteSignIns(db: Kysely<Schema>): (beginning: Beginning) => Promise<void> {
  const audit = createAudit(db);
  return async ({ userId, path = '', address = 'unknown' }) => {
    await endOldSessions(db, userId);
    if (path === '/change-password') return; // that only renews the session
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
