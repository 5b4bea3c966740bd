import type { InferResult, Kysely, Transaction } from 'kysely';
import type { Member } from '../contract/membership.ts';
import { DomainError } from '../errors.ts';
import { hasRole, roleTooLowMessage, type Role, roles } from '../contract/roles.ts';
import { beginChange, type ApiKey, presentKey } from '../organizations/apiKeyRows.ts';
import { isUuid } from '../organizations/uuid.ts';
import type { Schema } from '../storage/schema.ts';

/** The person or program that asks for a change. */
export interface MemberActor {
  organizationId: string;
  role: Role;
  userId?: string | undefined;
  /** The API key of the request. Absent if the caller used no key. */
  keyId?: string | undefined;
}

/** A member after a change or before the removal, and the API keys that the change ended. */
export interface MemberChangeResult {
  member: Member;
  endedKeys: ApiKey[];
}

export interface MemberChangeOptions {
  /**
   * Whether to end API keys that the person made: all of them for a removal or a new viewer,
   * otherwise those of a role above the new one. Default: false, because API keys belong to the
   * organization.
   */
  endKeys?: boolean | undefined;
}

/** The members of an organization: people with a role (viewer, member, admin or owner). */
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
   *   CONFLICT for the last owner; UNAUTHORIZED if the actor's key has ended meanwhile
   */
  changeRole(
    actor: MemberActor,
    memberId: string,
    role: Role,
    options?: MemberChangeOptions,
  ): Promise<MemberChangeResult>;
  /**
   * Removes a member. The member's session keys end at once, and so do invitations that the member
   * sent or received.
   * @throws DomainError as `changeRole`; FORBIDDEN for members below admin who remove somebody else
   */
  remove(
    actor: MemberActor,
    memberId: string,
    options?: MemberChangeOptions,
  ): Promise<MemberChangeResult>;
  /**
   * Removes a person, of any role, at that person's own request. API keys stay.
   * @throws DomainError NOT_FOUND if the person is not a member, CONFLICT for the last owner
   */
  leave(organizationId: string, userId: string): Promise<Member>;
}

/** @param onKeysEnded called after API keys ended, because this process may still cache them */
export function createMembers(db: Kysely<Schema>, onKeysEnded = () => {}): Members {
  const changeMembers = (
    actor: MemberActor,
    changeWork: (trx: Transaction<Schema>) => Promise<MemberChangeResult>,
  ) => changePeople(db, actor, changeWork).finally(onKeysEnded);

  return {
    async list(organizationId, { limit, after }) {
      let memberQuery = memberRows(db, organizationId)
        .orderBy('users.email')
        .limit(limit + 1);
      if (after !== undefined) memberQuery = memberQuery.where('users.email', '>', after);
      const foundMembers = (await memberQuery.execute()).map(presentMember);
      return { members: foundMembers.slice(0, limit), more: foundMembers.length > limit };
    },
    changeRole: (actor, memberId, role, { endKeys = false } = {}) =>
      changeMembers(actor, async (trx) => {
        const member = await findMemberById(trx, actor.organizationId, memberId);
        for (const touchedRole of [member.role, role]) requireRoleNotAbove(actor, touchedRole);
        if (role !== 'owner') await requireOtherOwner(trx, actor.organizationId, member);
        const rolesAbove = roles.filter((otherRole) => !hasRole(role, otherRole));
        if (role !== member.role) await setMemberRole(trx, member, { role, above: rolesAbove });
        const endedRoles = role === 'viewer' ? [...roles] : rolesAbove;
        return {
          member: { ...member, role },
          endedKeys: endKeys ? await endMemberKeys(trx, actor, member, endedRoles) : [],
        };
      }),
    remove: (actor, memberId, { endKeys = false } = {}) =>
      changeMembers(actor, async (trx) => {
        const member = await findMemberById(trx, actor.organizationId, memberId);
        if (member.userId !== actor.userId) {
          if (!hasRole(actor.role, 'admin'))
            throw new DomainError(
              'FORBIDDEN',
              'Forbidden: members with a role below admin can only remove themselves',
            );
          requireRoleNotAbove(actor, member.role);
        }
        await deleteMember(trx, actor.organizationId, member);
        return {
          member,
          endedKeys: endKeys ? await endMemberKeys(trx, actor, member, [...roles]) : [],
        };
      }),
    async leave(organizationId, userId) {
      const notFoundError = new DomainError('NOT_FOUND', 'Organization not found');
      if (!isUuid(organizationId)) throw notFoundError;
      const { member } = await changeMembers(
        { organizationId, role: 'viewer', userId },
        async (trx) => {
          const memberRow = await memberRows(trx, organizationId)
            .where('members.user_id', '=', userId)
            .executeTakeFirst();
          if (!memberRow) throw notFoundError;
          await deleteMember(trx, organizationId, presentMember(memberRow));
          return { member: presentMember(memberRow), endedKeys: [] };
        },
      );
      return member;
    },
  };
}

/** Removes a member, and the invitations that the member sent or received. */
async function deleteMember(
  trx: Kysely<Schema>,
  organizationId: string,
  member: Member,
): Promise<void> {
  await requireOtherOwner(trx, organizationId, member);
  await trx.deleteFrom('members').where('id', '=', member.memberId).execute();
  await invitationsOf(trx, organizationId)
    .where((condition) =>
      condition('invited_by', '=', member.userId).or('email', '=', member.email),
    )
    .execute();
}

/** Changes a member's role, and ends invitations by this member to roles above the new one. */
async function setMemberRole(
  trx: Kysely<Schema>,
  { memberId, userId }: Member,
  { role, above: rolesAbove }: { role: Role; above: Role[] },
): Promise<void> {
  const changedRow = await trx
    .updateTable('members')
    .set({ role })
    .where('id', '=', memberId)
    .returning('organization_id')
    .executeTakeFirstOrThrow();
  const sentInvitations = invitationsOf(trx, changedRow.organization_id).where(
    'invited_by',
    '=',
    userId,
  );
  if (rolesAbove.length > 0) await sentInvitations.where('role', 'in', rolesAbove).execute();
}

const endMemberKeys = (
  trx: Kysely<Schema>,
  { organizationId }: MemberActor,
  { userId }: Member,
  endedRoles: Role[],
) => endKeysMadeBy(trx, { organizationId, userId, roles: endedRoles }, new Date());

/**
 * Runs changes to an organization's members one at a time. Otherwise, two owners could remove each
 * other at once.
 * @throws DomainError UNAUTHORIZED if the caller's key has ended meanwhile
 */
export function changePeople<T>(
  db: Kysely<Schema>,
  memberActor: MemberActor,
  changeWork: (trx: Transaction<Schema>) => Promise<T>,
) {
  return db.transaction().execute(async (trx) => {
    await beginChange(trx, memberActor, new Date());
    return changeWork(trx);
  });
}

const invitationsOf = (trx: Kysely<Schema>, organizationId: string) =>
  trx.deleteFrom('invitations').where('organization_id', '=', organizationId);

async function findMemberById(
  trx: Kysely<Schema>,
  organizationId: string,
  memberId: string,
): Promise<Member> {
  const memberRow = isUuid(memberId)
    ? await memberRows(trx, organizationId).where('members.id', '=', memberId).executeTakeFirst()
    : undefined;
  if (!memberRow) throw new DomainError('NOT_FOUND', 'Member not found');
  return presentMember(memberRow);
}

/** @throws DomainError FORBIDDEN for a role above the actor's own */
export function requireRoleNotAbove({ role }: Pick<MemberActor, 'role'>, touchedRole: Role): void {
  if (!hasRole(role, touchedRole))
    throw new DomainError('FORBIDDEN', roleTooLowMessage(role, touchedRole));
}

/** @throws DomainError CONFLICT if the member is the organization's only owner */
async function requireOtherOwner(
  trx: Kysely<Schema>,
  organizationId: string,
  member: Member,
): Promise<void> {
  if (member.role !== 'owner') return;
  const otherOwner = await memberRows(trx, organizationId)
    .where('members.role', '=', 'owner')
    .where('members.id', '!=', member.memberId)
    .executeTakeFirst();
  if (!otherOwner)
    throw new DomainError(
      'CONFLICT',
      'An organization needs an owner. Make another member an owner first.',
    );
}

const memberRows = (db: Kysely<Schema>, organizationId: string) =>
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

type MemberColumns = InferResult<ReturnType<typeof memberRows>>[number];

const presentMember = ({ id, user_id, name, email, role, created_at }: MemberColumns): Member => ({
  memberId: id,
  userId: user_id,
  name,
  email,
  role: role as Role,
  joinedAt: created_at.toISOString(),
});

interface EndedKeysFilter {
  organizationId: string;
  /** The person who made the keys, directly or with another key. */
  userId: string;
  roles: Role[];
}

/**
 * Ends the keys of these roles that a person made for an organization. Leaves session keys alone.
 * @returns the ended keys, without those that had ended before
 */
async function endKeysMadeBy(
  trx: Kysely<Schema>,
  { roles, ...keyFilter }: EndedKeysFilter,
  revokedAt: Date,
): Promise<ApiKey[]> {
  if (roles.length === 0) return [];
  const rows = await trx
    .updateTable('api_keys')
    .set({ revoked_at: revokedAt })
    .where('organization_id', '=', keyFilter.organizationId)
    .where('created_by_user', '=', keyFilter.userId)
    .where('session_id', 'is', null)
    .where('role', 'in', roles)
    .where('revoked_at', 'is', null)
    .where((where) =>
      where.or([where('expires_at', 'is', null), where('expires_at', '>', revokedAt)]),
    )
    .returningAll()
    .execute();
  return rows.map(presentKey);
}
