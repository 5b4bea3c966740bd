import type { Kysely } from 'kysely';
import type { Membership } from '../contract/membership.ts';
import { DomainError } from '../errors.ts';
import { insertKey } from '../organizations/apiKeyRows.ts';
import { lockPerson, lockRole } from '../organizations/locks.ts';
import { hasRole, type Role } from '../contract/roles.ts';
import { isUuid } from '../organizations/uuid.ts';
import type { Schema } from '../storage/schema.ts';
import { addMember, makeOrganization } from './addPeople.ts';
import type { SignUpMode } from './signUpRules.ts';

/** Milliseconds that a session's API key lasts. */
const KEY_LIFETIME = 15 * 60_000;
/** A person who owns this many organizations can't create another one. */
const MOST_OWNED = 20;

/** A valid session. */
export interface AccountSession {
  sessionId: string;
  userId: string;
  name: string;
  email: string;
  expiresAt: Date;
}

/** A short-lived API key for a session, with which the console calls the API. */
export interface MintedSessionKey {
  apiKey: string;
  organizationId: string;
  role: Role;
  /** ISO 8601, UTC. */
  expiresAt: string;
}

/** A signed-in person's organizations. */
export interface Memberships {
  /** The person's organizations by name. */
  of(userId: string): Promise<Membership[]>;
  /**
   * Makes an API key with the person's role, valid for 15 minutes. It ends earlier with the
   * session, and when the person leaves the organization or gets another role there.
   * @throws DomainError NOT_FOUND if the person is not a member; FORBIDDEN for viewers;
   *   UNAUTHORIZED if the session has ended
   */
  mintKey(session: AccountSession, organizationId: string): Promise<MintedSessionKey>;
  /**
   * Makes an organization that the person owns.
   * @throws DomainError FORBIDDEN if sign-up is not open and the person owns no organization;
   *   CONFLICT if the person owns 20 already
   */
  createOrganization(session: AccountSession, name: string): Promise<{ organizationId: string }>;
}

export function createMemberships(db: Kysely<Schema>, signUp: SignUpMode): Memberships {
  return {
    async of(userId) {
      const rows = await db
        .selectFrom('members')
        .innerJoin('organizations', 'organizations.id', 'members.organization_id')
        .select(['organizations.id', 'organizations.name', 'members.role'])
        .where('members.user_id', '=', userId)
        .orderBy('organizations.name')
        .orderBy('organizations.id')
        .execute();
      return rows.map(({ id, name, role }) => ({ organizationId: id, name, role: role as Role }));
    },

    async mintKey(session, organizationId) {
      const mintedAt = new Date();
      const expiryDate = new Date(
        Math.min(mintedAt.getTime() + KEY_LIFETIME, session.expiresAt.getTime()),
      );
      const { apiKey, role } = await db.transaction().execute(async (trx) => {
        const memberRole = await lockMemberRole(trx, session.userId, organizationId);
        await holdSession(trx, session.sessionId);
        await removeExpired(trx, session.userId, mintedAt);
        return insertKey(
          trx,
          { organizationId, role: memberRole, expires: expiryDate, session },
          mintedAt,
        );
      });
      return { apiKey, organizationId, role, expiresAt: expiryDate.toISOString() };
    },

    async createOrganization({ userId }, name) {
      if (signUp !== 'open' && (await countOwned(db, userId, 1)) === 0)
        throw new DomainError(
          'FORBIDDEN',
          'Forbidden: only owners of an organization can create another one',
        );
      return db.transaction().execute(async (trx) => {
        await requireRoomForOrganization(trx, userId);
        const organizationId = await makeOrganization(trx, name);
        await addMember(trx, { organizationId, userId, role: 'owner' });
        return { organizationId };
      });
    },
  };
}

/**
 * Locks the session until the transaction has stored the key, so that a session that ends later
 * also ends the key. The caller must lock the member first: a removal locks in that order too, so
 * the two can't deadlock.
 */
async function holdSession(trx: Kysely<Schema>, sessionId: string): Promise<void> {
  const session = await trx
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', sessionId)
    .forShare()
    .executeTakeFirst();
  if (!session) throw new DomainError('UNAUTHORIZED', 'The session has ended');
}

/** Removes a person's expired sessions, and their keys. */
async function removeExpired(
  trx: Kysely<Schema>,
  userId: string,
  currentTime: Date,
): Promise<void> {
  await trx
    .deleteFrom('api_keys')
    .where('user_id', '=', userId)
    .where('session_id', 'is not', null)
    .where('expires_at', '<', currentTime)
    .execute();
  await trx
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('expires_at', '<', currentTime)
    .execute();
}

async function lockMemberRole(
  trx: Kysely<Schema>,
  userId: string,
  organizationId: string,
): Promise<Role> {
  const memberRole = isUuid(organizationId)
    ? await lockRole(trx, { userId, organizationId })
    : null;
  if (memberRole === null) throw new DomainError('NOT_FOUND', 'Organization not found');
  if (!hasRole(memberRole, 'member'))
    throw new DomainError('FORBIDDEN', 'Forbidden: viewers can only see what was shared with them');
  return memberRole;
}

async function requireRoomForOrganization(trx: Kysely<Schema>, userId: string): Promise<void> {
  await lockPerson(trx, userId);
  if ((await countOwned(trx, userId, MOST_OWNED)) === MOST_OWNED)
    throw new DomainError(
      'CONFLICT',
      `You already own ${MOST_OWNED} organizations, which is the limit`,
    );
}

/** The number of organizations that a person owns. Counts up to `maxCount` only. */
async function countOwned(db: Kysely<Schema>, userId: string, maxCount: number): Promise<number> {
  const ownedRows = await db
    .selectFrom('members')
    .select('id')
    .where('user_id', '=', userId)
    .where('role', '=', 'owner')
    .limit(maxCount)
    .execute();
  return ownedRows.length;
}
