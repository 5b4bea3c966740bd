import { randomUUID } from 'node:crypto';
import type { InferResult, Kysely } from 'kysely';
import type { Invitation, NewInvitation, Offer } from '../contract/people.ts';
import { DomainError } from '../errors.ts';
import { hasRole, type Role, roles } from '../contract/roles.ts';
import { makerOf } from '../organizations/keyRows.ts';
import { isUuid } from '../organizations/uuid.ts';
import type { Schema } from '../storage/schema.ts';
import { invitationLetter } from './invitationLetter.ts';
import { addMember } from './addPeople.ts';
import type { Mail } from './mail.ts';
import { type Actor, changePeople, requireAbove } from './members.ts';
import type { Session } from './memberships.ts';

/** Milliseconds that an invitation is valid. */
const LIFETIME = 7 * 24 * 3_600_000;

export interface Invited {
  email: string;
  role: Role;
}

export interface Invitations {
  /**
   * Valid invitations to roles up to the actor's, by e-mail address, beginning after the address
   * `after`.
   */
  list(
    actor: Actor,
    part: { limit: number; after?: string },
  ): Promise<{ invitations: Invitation[]; more: boolean }>;
  /**
   * Invites an address for seven days. Sends a mail if mail is configured. Ends an earlier
   * invitation of the address.
   * @param mayMail whether the inviter may send another letter to the address now. The inviter is
   *   the person who asks, or who made the key that asks
   * @throws DomainError FORBIDDEN if the role, or that of the earlier invitation, is above the
   *   actor's; CONFLICT for a member's address
   */
  create(
    actor: Actor,
    invited: Invited,
    mayMail: (email: string, userId: string | undefined) => Promise<boolean>,
  ): Promise<NewInvitation>;
  /** @throws DomainError NOT_FOUND; FORBIDDEN if the invitation's role is above the actor's */
  remove(actor: Actor, invitationId: string): Promise<Invitation>;
  /** @throws DomainError NOT_FOUND for an unknown, used or expired invitation */
  offer(invitationId: string): Promise<Offer>;
  /**
   * Makes the person a member, and uses up the invitation.
   * @throws DomainError NOT_FOUND as `offer`; FORBIDDEN if the invitation is for another address
   */
  accept(session: Session, invitationId: string): Promise<{ organizationId: string }>;
}

interface Deps {
  db: Kysely<Schema>;
  mail: Mail;
  publicUrl: () => URL;
}

export function createInvitations({ db, mail, publicUrl }: Deps): Invitations {
  const present = ({ id, email, role, expires_at }: Row): Invitation => ({
    invitationId: id,
    url: new URL(`/invitations/${id}`, publicUrl()).href,
    email,
    role: role as Role,
    expiresAt: expires_at.toISOString(),
  });

  return {
    async list({ organizationId, role: own }, { limit, after }) {
      let rows = inForce(db)
        .where('invitations.organization_id', '=', organizationId)
        .where('invitations.role', 'in', upTo(own));
      if (after !== undefined) rows = rows.where('invitations.email', '>', after);
      rows = rows.orderBy('invitations.email').limit(limit + 1);
      const found = (await rows.execute()).map(present);
      return { invitations: found.slice(0, limit), more: found.length > limit };
    },
    async create(actor, { email: address, role }, mayMail) {
      requireAbove(actor, role);
      const email = address.toLowerCase();
      await refuseMember(db, actor.organizationId, email);
      const made = await replace(db, actor, { email, role });
      const invitation = present(made);
      if (!mail.isOn) return { ...invitation, sent: false };
      const by = await personOf(db, actor);
      if (!(await mayMail(email, by?.id))) return { ...invitation, sent: false };
      const { organization } = made;
      const letter = invitationLetter({ organization, role, by, url: invitation.url });
      return { ...invitation, sent: await mail.send({ to: email, ...letter }) };
    },
    async remove(actor, invitationId) {
      const found = await find(db, invitationId);
      if (found?.organization_id !== actor.organizationId) throw notFound();
      requireAbove(actor, found.role as Role);
      await db.deleteFrom('invitations').where('id', '=', found.id).execute();
      return present(found);
    },
    async offer(invitationId) {
      const found = await find(db, invitationId);
      if (!found) throw notFound();
      const { organization, role, email, inviter: invitedBy, expires_at: ends } = found;
      return { organization, role: role as Role, email, invitedBy, expiresAt: ends.toISOString() };
    },
    accept: (session, invitationId) => accept(db, session, invitationId),
  };
}

const upTo = (own: Role) => roles.filter((role) => hasRole(own, role));

const notFound = () =>
  new DomainError('NOT_FOUND', 'Invitation not found: it was used, withdrawn, or is over');

const inForce = (db: Kysely<Schema>) =>
  db
    .selectFrom('invitations')
    .innerJoin('organizations', 'organizations.id', 'invitations.organization_id')
    .leftJoin('users', 'users.id', 'invitations.invited_by')
    .selectAll('invitations')
    .select(['organizations.name as organization', 'users.name as inviter'])
    .where('invitations.expires_at', '>', new Date());

type Row = InferResult<ReturnType<typeof inForce>>[number];

async function find(db: Kysely<Schema>, invitationId: string): Promise<Row | undefined> {
  if (!isUuid(invitationId)) return undefined;
  return inForce(db).where('invitations.id', '=', invitationId).executeTakeFirst();
}

async function accept(db: Kysely<Schema>, { userId, email }: Session, invitationId: string) {
  const found = await find(db, invitationId);
  if (!found) throw notFound();
  if (found.email !== email)
    throw new DomainError(
      'FORBIDDEN',
      `Forbidden: the invitation is for ${found.email}: sign in with that address`,
    );
  return db.transaction().execute(async (trx) => {
    const taken = await trx
      .deleteFrom('invitations')
      .where('id', '=', found.id)
      .returning('id')
      .execute();
    if (taken.length === 0) throw notFound();
    await addMember(trx, { organizationId: found.organization_id, userId, role: found.role });
    return { organizationId: found.organization_id };
  });
}

async function refuseMember(
  db: Kysely<Schema>,
  organizationId: string,
  email: string,
): Promise<void> {
  const members = db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select('members.id');
  const ofOrganization = members.where('members.organization_id', '=', organizationId);
  if (await ofOrganization.where('users.email', '=', email).executeTakeFirst())
    throw new DomainError('CONFLICT', `${email} is a member already`);
}

/**
 * Replaces all invitations of an address with a new one. Its new id makes old links invalid. Reads
 * the new one in the same transaction, because another could replace it right afterwards.
 */
async function replace(db: Kysely<Schema>, actor: Actor, { email, role }: Invited): Promise<Row> {
  const { organizationId, userId = null } = actor;
  const id = randomUUID();
  const created_at = new Date();
  const expires_at = new Date(created_at.getTime() + LIFETIME);
  return changePeople(db, actor, async (trx) => {
    const ofAddress = trx.deleteFrom('invitations').where('organization_id', '=', organizationId);
    const ended = await ofAddress
      .where('email', '=', email)
      .returning(['role', 'expires_at'])
      .execute();
    for (const old of ended) if (old.expires_at > created_at) requireAbove(actor, old.role as Role);
    await trx
      .insertInto('invitations')
      .values({
        id,
        organization_id: organizationId,
        email,
        role,
        invited_by: userId,
        created_at,
        expires_at,
      })
      .execute();
    return inForce(trx).where('invitations.id', '=', id).executeTakeFirstOrThrow();
  });
}

/** The person who asks, or who made the API key that asks. */
async function personOf(db: Kysely<Schema>, { userId, keyId }: Actor) {
  const maker = keyId === undefined ? { userId } : await makerOf(db, { userId, keyId });
  if (!('userId' in maker) || maker.userId === undefined) return undefined;
  const users = db.selectFrom('users').select(['id', 'name', 'email']);
  return users.where('id', '=', maker.userId).executeTakeFirst();
}
