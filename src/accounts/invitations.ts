import { randomUUID } from 'node:crypto';
import type { InferResult, Kysely } from 'kysely';
import type { Invitation, NewInvitation, InvitationOffer } from '../contract/membership.ts';
import { DomainError } from '../errors.ts';
import { hasRole, type Role, roles } from '../contract/roles.ts';
import { findCreator } from '../organizations/apiKeyRows.ts';
import { isUuid } from '../organizations/uuid.ts';
import type { Schema } from '../storage/schema.ts';
import { invitationLetter } from './invitationLetter.ts';
import { addMember } from './addPeople.ts';
import type { Mail } from './mail.ts';
import { type MemberActor, changePeople, requireRoleNotAbove } from './members.ts';
import type { AccountSession } from './memberships.ts';

/** Milliseconds that an invitation is valid. */
const LIFETIME = 7 * 24 * 3_600_000;

export interface InvitationInput {
  email: string;
  role: Role;
}

/** Invitations to an organization: each lets the owner of one e-mail address join with a role. */
export interface Invitations {
  /**
   * Valid invitations to roles up to the actor's, by e-mail address, beginning after the address
   * `after`.
   */
  list(
    actor: MemberActor,
    part: { limit: number; after?: string },
  ): Promise<{ invitations: Invitation[]; more: boolean }>;
  /**
   * Invites an e-mail address for seven days. Sends a mail if mail is configured. Ends an earlier
   * invitation of the address.
   * @param mayMail whether the inviter may send another letter to the address now. The inviter is
   *   the person who asks, or who made the key that asks
   * @throws DomainError FORBIDDEN if the role, or that of the earlier invitation, is above the
   *   actor's; CONFLICT for a member's address; UNAUTHORIZED if the actor's key has ended meanwhile
   */
  create(
    actor: MemberActor,
    invited: InvitationInput,
    mayMail: (email: string, userId: string | undefined) => Promise<boolean>,
  ): Promise<NewInvitation>;
  /** @throws DomainError NOT_FOUND; FORBIDDEN if the invitation's role is above the actor's */
  remove(actor: MemberActor, invitationId: string): Promise<Invitation>;
  /** @throws DomainError NOT_FOUND for an unknown, used or expired invitation */
  offer(invitationId: string): Promise<InvitationOffer>;
  /**
   * Makes the person a member, and uses up the invitation.
   * @throws DomainError NOT_FOUND as `offer`; FORBIDDEN if the invitation is for another address
   */
  accept(session: AccountSession, invitationId: string): Promise<{ organizationId: string }>;
}

interface InvitationDeps {
  db: Kysely<Schema>;
  mail: Mail;
  publicUrl: () => URL;
}

export function createInvitations({ db, mail, publicUrl }: InvitationDeps): Invitations {
  const present = ({ id, email, role, expires_at }: InvitationRow): Invitation => ({
    invitationId: id,
    url: new URL(`/invitations/${id}`, publicUrl()).href,
    email,
    role: role as Role,
    expiresAt: expires_at.toISOString(),
  });

  return {
    async list({ organizationId, role: ownRole }, { limit, after }) {
      let invitationQuery = validInvitations(db)
        .where('invitations.organization_id', '=', organizationId)
        .where('invitations.role', 'in', rolesNotAbove(ownRole));
      if (after !== undefined)
        invitationQuery = invitationQuery.where('invitations.email', '>', after);
      invitationQuery = invitationQuery.orderBy('invitations.email').limit(limit + 1);
      const foundInvitations = (await invitationQuery.execute()).map(present);
      return {
        invitations: foundInvitations.slice(0, limit),
        more: foundInvitations.length > limit,
      };
    },
    async create(actor, { email: address, role }, mayMail) {
      requireRoleNotAbove(actor, role);
      const email = address.toLowerCase();
      await refuseMember(db, actor.organizationId, email);
      const newInvitation = await replaceInvitation(db, actor, { email, role });
      const invitation = present(newInvitation);
      if (!mail.isOn) return { ...invitation, sent: false };
      const inviter = await findInviter(db, actor);
      if (!(await mayMail(email, inviter?.id))) return { ...invitation, sent: false };
      const { organization } = newInvitation;
      const letter = invitationLetter({ organization, role, by: inviter, url: invitation.url });
      return { ...invitation, sent: await mail.send({ to: email, ...letter }) };
    },
    async remove(actor, invitationId) {
      const foundInvitation = await findInvitation(db, invitationId);
      if (foundInvitation?.organization_id !== actor.organizationId) throw invitationNotFound();
      requireRoleNotAbove(actor, foundInvitation.role as Role);
      await db.deleteFrom('invitations').where('id', '=', foundInvitation.id).execute();
      return present(foundInvitation);
    },
    async offer(invitationId) {
      const foundInvitation = await findInvitation(db, invitationId);
      if (!foundInvitation) throw invitationNotFound();
      const {
        organization,
        role,
        email,
        inviter: invitedBy,
        expires_at: expiresAt,
      } = foundInvitation;
      return {
        organization,
        role: role as Role,
        email,
        invitedBy,
        expiresAt: expiresAt.toISOString(),
      };
    },
    accept: (session, invitationId) => acceptInvitation(db, session, invitationId),
  };
}

const rolesNotAbove = (ownRole: Role) => roles.filter((role) => hasRole(ownRole, role));

const invitationNotFound = () =>
  new DomainError(
    'NOT_FOUND',
    'Invitation not found. It was used or withdrawn, or it has expired.',
  );

const validInvitations = (db: Kysely<Schema>) =>
  db
    .selectFrom('invitations')
    .innerJoin('organizations', 'organizations.id', 'invitations.organization_id')
    .leftJoin('users', 'users.id', 'invitations.invited_by')
    .selectAll('invitations')
    .select(['organizations.name as organization', 'users.name as inviter'])
    .where('invitations.expires_at', '>', new Date());

type InvitationRow = InferResult<ReturnType<typeof validInvitations>>[number];

async function findInvitation(
  db: Kysely<Schema>,
  invitationId: string,
): Promise<InvitationRow | undefined> {
  if (!isUuid(invitationId)) return undefined;
  return validInvitations(db).where('invitations.id', '=', invitationId).executeTakeFirst();
}

async function acceptInvitation(
  db: Kysely<Schema>,
  { userId, email }: AccountSession,
  invitationId: string,
) {
  const foundInvitation = await findInvitation(db, invitationId);
  if (!foundInvitation) throw invitationNotFound();
  if (foundInvitation.email !== email)
    throw new DomainError(
      'FORBIDDEN',
      `Forbidden: the invitation is for ${foundInvitation.email}. Sign in with that e-mail address.`,
    );
  return db.transaction().execute(async (trx) => {
    const deletedRows = await trx
      .deleteFrom('invitations')
      .where('id', '=', foundInvitation.id)
      .returning('id')
      .execute();
    if (deletedRows.length === 0) throw invitationNotFound();
    await addMember(trx, {
      organizationId: foundInvitation.organization_id,
      userId,
      role: foundInvitation.role,
    });
    return { organizationId: foundInvitation.organization_id };
  });
}

async function refuseMember(
  db: Kysely<Schema>,
  organizationId: string,
  email: string,
): Promise<void> {
  const memberQuery = db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select('members.id');
  const organizationMembers = memberQuery.where('members.organization_id', '=', organizationId);
  if (await organizationMembers.where('users.email', '=', email).executeTakeFirst())
    throw new DomainError('CONFLICT', `${email} is already a member`);
}

/**
 * Replaces all invitations of an address with a new one. Its new id makes old links invalid. Reads
 * the new one in the same transaction, because the next invitation may replace it right afterwards.
 * @throws DomainError FORBIDDEN if the role of an earlier invitation is above the actor's
 */
async function replaceInvitation(
  db: Kysely<Schema>,
  actor: MemberActor,
  { email, role }: InvitationInput,
): Promise<InvitationRow> {
  const { organizationId, userId = null } = actor;
  const invitationId = randomUUID();
  const created_at = new Date();
  const expires_at = new Date(created_at.getTime() + LIFETIME);
  return changePeople(db, actor, async (trx) => {
    const addressInvitations = trx
      .deleteFrom('invitations')
      .where('organization_id', '=', organizationId);
    const endedInvitations = await addressInvitations
      .where('email', '=', email)
      .returning(['role', 'expires_at'])
      .execute();
    for (const oldInvitation of endedInvitations)
      if (oldInvitation.expires_at > created_at)
        requireRoleNotAbove(actor, oldInvitation.role as Role);
    await trx
      .insertInto('invitations')
      .values({
        id: invitationId,
        organization_id: organizationId,
        email,
        role,
        invited_by: userId,
        created_at,
        expires_at,
      })
      .execute();
    return validInvitations(trx)
      .where('invitations.id', '=', invitationId)
      .executeTakeFirstOrThrow();
  });
}

/** The person who asks, or who made the API key that asks. */
async function findInviter(db: Kysely<Schema>, { userId, keyId }: MemberActor) {
  const creator = keyId === undefined ? { userId } : await findCreator(db, { userId, keyId });
  if (!('userId' in creator) || creator.userId === undefined) return undefined;
  const userQuery = db.selectFrom('users').select(['id', 'name', 'email']);
  return userQuery.where('id', '=', creator.userId).executeTakeFirst();
}
