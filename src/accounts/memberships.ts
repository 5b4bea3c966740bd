import type { Kysely } from 'kysely';
import { randomUUID } from 'node:crypto';
import type { Membership } from '../contract/people.ts';
import { DomainError } from '../errors.ts';
import { hashOfApiKey, newApiKey, prefixOf } from '../organizations/apiKey.ts';
import { newOrganization } from '../organizations/organizations.ts';
import { hasRole, type Role } from '../contract/roles.ts';
import { isUuid } from '../organizations/uuid.ts';
import type { Schema } from '../storage/schema.ts';
import { addMember } from './links.ts';
import type { SignUp } from './signUp.ts';

/** Milliseconds. */
const KEY_LIFETIME = 15 * 60_000;
const MOST_OWNED = 20;

/** A session that is in force. */
export interface Session {
  sessionId: string;
  userId: string;
  name: string;
  email: string;
  expiresAt: Date;
}

export interface SessionKey {
  apiKey: string;
  organizationId: string;
  role: Role;
  /** ISO 8601, UTC. */
  expiresAt: string;
}

/** What a person does in the organizations that it belongs to. */
export interface Memberships {
  /** The person's organizations by name. */
  of(userId: string): Promise<Membership[]>;
  /**
   * Mints an API key of the person's role for 15 minutes. It ends with the session, and when the
   * person leaves the organization or gets another role there.
   * @throws DomainError NOT_FOUND where the person does not belong to it; FORBIDDEN for viewers
   */
  mintKey(session: Session, organizationId: string): Promise<SessionKey>;
  /**
   * Makes an organization that the person owns.
   * @throws DomainError FORBIDDEN unless anybody may sign up, or the person owns one already;
   *   CONFLICT for one who owns 20 already
   */
  createOrganization(session: Session, name: string): Promise<{ organizationId: string }>;
}

export function createMemberships(
  db: Kysely<Schema>,
  signUp: SignUp,
  now = () => new Date(),
): Memberships {
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
      const at = now();
      const expires = new Date(Math.min(at.getTime() + KEY_LIFETIME, session.expiresAt.getTime()));
      const apiKey = newApiKey();
      const role = await db.transaction().execute(async (trx) => {
        const found = await roleOf(trx, session.userId, organizationId);
        await holdSession(trx, session.sessionId);
        await removeOver(trx, session.userId, at);
        await trx
          .insertInto('api_keys')
          .values({
            id: randomUUID(),
            organization_id: organizationId,
            role: found,
            name: null,
            hash: hashOfApiKey(apiKey),
            prefix: prefixOf(apiKey),
            created_at: at,
            expires_at: expires,
            user_id: session.userId,
            session_id: session.sessionId,
          })
          .execute();
        return found;
      });
      return { apiKey, organizationId, role, expiresAt: expires.toISOString() };
    },

    async createOrganization({ userId }, name) {
      const mayCreate = signUp === 'open' || (await owns(db, userId));
      if (!mayCreate)
        throw new DomainError(
          'FORBIDDEN',
          'Forbidden: only owners of an organization make another one',
        );
      return db.transaction().execute(async (trx) => {
        await requireRoom(trx, userId);
        const made = newOrganization(name);
        await trx.insertInto('organizations').values(made).execute();
        await addMember(trx, { organizationId: made.id, userId, role: 'owner' });
        return { organizationId: made.id };
      });
    },
  };
}

/**
 * As a removal does, after the member: so that neither waits for the other. From here on the key
 * ends with it.
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

/** What a person's former sessions left behind. */
async function removeOver(trx: Kysely<Schema>, userId: string, at: Date): Promise<void> {
  const keys = trx
    .deleteFrom('api_keys')
    .where('user_id', '=', userId)
    .where('session_id', 'is not', null);
  await keys.where('expires_at', '<', at).execute();
  await trx
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('expires_at', '<', at)
    .execute();
}

/**
 * The lock keeps the role as it is until the key is there: after that, the trigger of `members`
 * ends the key.
 */
async function roleOf(trx: Kysely<Schema>, userId: string, organizationId: string): Promise<Role> {
  const member = isUuid(organizationId)
    ? await trx
        .selectFrom('members')
        .select('role')
        .where('user_id', '=', userId)
        .where('organization_id', '=', organizationId)
        .forShare()
        .executeTakeFirst()
    : undefined;
  if (!member) throw new DomainError('NOT_FOUND', 'Organization not found');
  const role = member.role as Role;
  if (!hasRole(role, 'member'))
    throw new DomainError(
      'FORBIDDEN',
      'Forbidden: viewers see what was shared with them, and can change nothing',
    );
  return role;
}

/** One at a time: of many that come at once, each would count too few. */
async function requireRoom(trx: Kysely<Schema>, userId: string): Promise<void> {
  await trx.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute();
  const owned = trx
    .selectFrom('members')
    .select('id')
    .where('user_id', '=', userId)
    .where('role', '=', 'owner');
  if ((await owned.limit(MOST_OWNED).execute()).length === MOST_OWNED)
    throw new DomainError('CONFLICT', `You own ${MOST_OWNED} organizations already`);
}

async function owns(db: Kysely<Schema>, userId: string): Promise<boolean> {
  const owned = db
    .selectFrom('members')
    .select('id')
    .where('user_id', '=', userId)
    .where('role', '=', 'owner');
  return (await owned.executeTakeFirst()) !== undefined;
}
