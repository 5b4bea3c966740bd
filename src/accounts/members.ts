import type { InferResult, Kysely, Transaction } from 'kysely';
import type { Member } from '../contract/people.ts';
import { DomainError } from '../errors.ts';
import { hasRole, needsRole, type Role, roles } from '../contract/roles.ts';
import { beginChange, type Key, presentKey } from '../organizations/keyRows.ts';
import { isUuid } from '../organizations/uuid.ts';
import type { Schema } from '../storage/schema.ts';

/** The caller who asks for a change. */
export interface Actor {
  organizationId: string;
  role: Role;
  userId?: string | undefined;
  /** The API key of the request. Absent if the caller used no key. */
  keyId?: string | undefined;
}

/** A member after a change or before the removal, and the API keys that the change ended. */
export interface Changed {
  member: Member;
  endedKeys: Key[];
}

export interface ChangeOptions {
  /**
   * Whether to end API keys that the person made: all of them for a removal or a new viewer,
   * otherwise those of a role above the new one. Default: false, because API keys belong to the
   * organization.
   */
  endKeys?: boolean | undefined;
}

export interface Members {
  /** An organization's members by e-mail address, beginning after the address `after`. */
  list(
    organizationId: string,
    part: { limit: number; after?: string },
  ): Promise<{ members: Member[]; more: boolean }>;
  /**
   * Gives a member another role. The member's session keys end at once. So do invitations that the
   * member sent to roles above the new one.
   * @throws DomainError NOT_FOUND; FORBIDDEN if the old or the new role is above the actor's;
   *   CONFLICT for the last owner
   */
  changeRole(actor: Actor, memberId: string, role: Role, options?: ChangeOptions): Promise<Changed>;
  /**
   * Removes a member. The member's session keys end at once, and so do invitations that the member
   * sent or received.
   * @throws DomainError as `changeRole`; FORBIDDEN for members below admin who remove somebody else
   */
  remove(actor: Actor, memberId: string, options?: ChangeOptions): Promise<Changed>;
  /**
   * Removes a person, of any role, at that person's own request. API keys stay.
   * @throws DomainError NOT_FOUND if the person is not a member, CONFLICT for the last owner
   */
  leave(organizationId: string, userId: string): Promise<Member>;
}

/** @param onKeysEnded called after API keys ended, because this process may still cache them */
export function createMembers(db: Kysely<Schema>, onKeysEnded = () => {}): Members {
  const change = (actor: Actor, work: (trx: Transaction<Schema>) => Promise<Changed>) =>
    changePeople(db, actor, work).finally(onKeysEnded);

  return {
    async list(organizationId, { limit, after }) {
      let rows = rowsOf(db, organizationId)
        .orderBy('users.email')
        .limit(limit + 1);
      if (after !== undefined) rows = rows.where('users.email', '>', after);
      const found = (await rows.execute()).map(present);
      return { members: found.slice(0, limit), more: found.length > limit };
    },
    changeRole: (actor, memberId, role, { endKeys = false } = {}) =>
      change(actor, async (trx) => {
        const member = await find(trx, actor.organizationId, memberId);
        for (const touched of [member.role, role]) requireAbove(actor, touched);
        if (role !== 'owner') await requireOtherOwner(trx, actor.organizationId, member);
        const above = roles.filter((other) => !hasRole(role, other));
        if (role !== member.role) await changeTo(trx, member, { role, above });
        const keysOf = role === 'viewer' ? [...roles] : above;
        return {
          member: { ...member, role },
          endedKeys: endKeys ? await end(trx, actor, member, keysOf) : [],
        };
      }),
    remove: (actor, memberId, { endKeys = false } = {}) =>
      change(actor, async (trx) => {
        const member = await find(trx, actor.organizationId, memberId);
        if (member.userId !== actor.userId) {
          if (!hasRole(actor.role, 'admin'))
            throw new DomainError(
              'FORBIDDEN',
              'Forbidden: members below admin may remove only themselves',
            );
          requireAbove(actor, member.role);
        }
        await takeOut(trx, actor.organizationId, member);
        return { member, endedKeys: endKeys ? await end(trx, actor, member, [...roles]) : [] };
      }),
    async leave(organizationId, userId) {
      const none = new DomainError('NOT_FOUND', 'Organization not found');
      if (!isUuid(organizationId)) throw none;
      const { member } = await change({ organizationId, role: 'viewer', userId }, async (trx) => {
        const row = await rowsOf(trx, organizationId)
          .where('members.user_id', '=', userId)
          .executeTakeFirst();
        if (!row) throw none;
        await takeOut(trx, organizationId, present(row));
        return { member: present(row), endedKeys: [] };
      });
      return member;
    },
  };
}

/** Removes a member, and the invitations that the member sent or received. */
async function takeOut(trx: Kysely<Schema>, organizationId: string, member: Member): Promise<void> {
  await requireOtherOwner(trx, organizationId, member);
  await trx.deleteFrom('members').where('id', '=', member.memberId).execute();
  await invitationsOf(trx, organizationId)
    .where((is) => is('invited_by', '=', member.userId).or('email', '=', member.email))
    .execute();
}

/** Changes a member's role, and ends invitations by this member to roles above the new one. */
async function changeTo(
  trx: Kysely<Schema>,
  { memberId, userId }: Member,
  { role, above }: { role: Role; above: Role[] },
): Promise<void> {
  const changed = await trx
    .updateTable('members')
    .set({ role })
    .where('id', '=', memberId)
    .returning('organization_id')
    .executeTakeFirstOrThrow();
  const made = invitationsOf(trx, changed.organization_id).where('invited_by', '=', userId);
  if (above.length > 0) await made.where('role', 'in', above).execute();
}

const end = (trx: Kysely<Schema>, { organizationId }: Actor, { userId }: Member, of: Role[]) =>
  endKeysOf(trx, { organizationId, userId, roles: of }, new Date());

/**
 * Runs changes to an organization's members one at a time. Otherwise, two owners could remove each
 * other at once.
 * @throws DomainError UNAUTHORIZED if the caller's key has ended meanwhile
 */
export function changePeople<T>(
  db: Kysely<Schema>,
  by: Actor,
  work: (trx: Transaction<Schema>) => Promise<T>,
) {
  return db.transaction().execute(async (trx) => {
    await beginChange(trx, by, new Date());
    return work(trx);
  });
}

const invitationsOf = (trx: Kysely<Schema>, organizationId: string) =>
  trx.deleteFrom('invitations').where('organization_id', '=', organizationId);

async function find(
  trx: Kysely<Schema>,
  organizationId: string,
  memberId: string,
): Promise<Member> {
  const row = isUuid(memberId)
    ? await rowsOf(trx, organizationId).where('members.id', '=', memberId).executeTakeFirst()
    : undefined;
  if (!row) throw new DomainError('NOT_FOUND', 'Member not found');
  return present(row);
}

/** @throws DomainError FORBIDDEN for a role above the actor's own */
export function requireAbove({ role }: Pick<Actor, 'role'>, touched: Role): void {
  if (!hasRole(role, touched)) throw new DomainError('FORBIDDEN', needsRole(role, touched));
}

async function requireOtherOwner(
  trx: Kysely<Schema>,
  organizationId: string,
  member: Member,
): Promise<void> {
  if (member.role !== 'owner') return;
  const other = await rowsOf(trx, organizationId)
    .where('members.role', '=', 'owner')
    .where('members.id', '!=', member.memberId)
    .executeTakeFirst();
  if (!other)
    throw new DomainError(
      'CONFLICT',
      'The last owner must stay: make somebody else an owner first',
    );
}

const rowsOf = (db: Kysely<Schema>, organizationId: string) =>
  db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select([
      'members.id',
      'members.user_id',
      'users.name',
      'users.email',
      'members.role',
      'members.created_at',
    ])
    .where('members.organization_id', '=', organizationId);

type Row = InferResult<ReturnType<typeof rowsOf>>[number];

const present = ({ id, user_id, name, email, role, created_at }: Row): Member => ({
  memberId: id,
  userId: user_id,
  name,
  email,
  role: role as Role,
  joinedAt: created_at.toISOString(),
});

interface EndedKeys {
  organizationId: string;
  /** The person who made the keys, directly or with another key. */
  userId: string;
  roles: Role[];
}

/**
 * Ends the keys of these roles that a person made for an organization. Leaves session keys alone.
 * @returns the ended keys, without those that had ended before
 */
async function endKeysOf(
  trx: Kysely<Schema>,
  { roles, ...by }: EndedKeys,
  at: Date,
): Promise<Key[]> {
  if (roles.length === 0) return [];
  const rows = await trx
    .updateTable('api_keys')
    .set({ revoked_at: at })
    .where('organization_id', '=', by.organizationId)
    .where('created_by_user', '=', by.userId)
    .where('session_id', 'is', null)
    .where('role', 'in', roles)
    .where('revoked_at', 'is', null)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', at)]))
    .returningAll()
    .execute();
  return rows.map(presentKey);
}
