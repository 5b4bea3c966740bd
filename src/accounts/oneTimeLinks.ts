import { createHash, randomBytes } from 'node:crypto';
import type { Kysely, Selectable, Transaction } from 'kysely';
import { DomainError } from '../errors.ts';
import { lockPerson } from '../organizations/locks.ts';
import type { Schema } from '../storage/schema.ts';
import { addMember, addUser, makeOrganization } from './addPeople.ts';
import { changePerson } from './changePerson.ts';

const HOUR = 3_600_000;
const TOKEN_BYTES = 32;
/** Milliseconds. `first` is for the link to become the first owner, `person` for a sign-in link. */
const linkLifetimesMs = { first: 24 * HOUR, person: HOUR };

/** The person's input on the link's page. `organization` is the name for the first organization. */
export interface LinkUse {
  token: string;
  name?: string | undefined;
  email?: string | undefined;
  password?: string | undefined;
  organization?: string | undefined;
}

export interface NewLink {
  token: string;
  expiresAt: Date;
}

/**
 * What a link is for. `sign-in` is for a person who has an account. The other two are for the first
 * owner, who creates an account, and with `first-organization` an organization too.
 */
export interface LinkPurpose {
  purpose: 'sign-in' | 'first-owner' | 'first-organization';
  email?: string;
  needsPassword?: boolean;
}

export interface OneTimeLinks {
  /**
   * Makes a link for the first person of an organization, who becomes its owner.
   * @param organizationId absent: using the link makes the organization too
   * @returns null if the organization has members; without an id, if any organization has
   */
  first(organizationId?: string): Promise<NewLink | null>;
  /**
   * Makes a link that signs a person in.
   * @param options.provesEmail whether using the link proves the e-mail address, because the link
   *   comes by mail or from the operator. Default: true
   */
  forUser(userId: string, options?: { provesEmail?: boolean }): Promise<NewLink>;
  /** Makes a link to mail, which proves the e-mail address. null if `most` others are valid. */
  forMail(userId: string, most: number): Promise<NewLink | null>;
  /**
   * @returns the link's purpose. `needsPassword`: using the link ends an earlier password, because
   *   it proves the address for the first time. The person should set a new one
   * @throws DomainError NOT_FOUND for an unknown, used or expired link
   */
  check(token: string): Promise<LinkPurpose>;
  /**
   * Uses up a link. A new password ends the person's sessions. So does the first proof of the
   * address, which also ends an earlier password.
   * @param hash hashes a password
   * @returns the person who is signed in
   * @throws DomainError NOT_FOUND as `check`; INVALID_INPUT if a field that the first owner needs
   *   is missing; CONFLICT if the first owner's address belongs to another person
   */
  use(
    use: LinkUse,
    hash: (password: string) => Promise<string>,
  ): Promise<{ userId: string; email: string }>;
}

/**
 * Links that sign a person in once, such as `https://…/welcome#token=…`. A link is for a person
 * with an account, or for the first owner of an organization. The database stores only hashes of
 * the tokens.
 */
export function createLinks(db: Kysely<Schema>): OneTimeLinks {
  interface NewLinkInput {
    userId?: string;
    organizationId?: string | undefined;
    provesEmail?: boolean;
  }
  async function make(linkInput: NewLinkInput, database: Kysely<Schema> = db) {
    const { userId = null, organizationId = null, provesEmail = false } = linkInput;
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const created_at = new Date();
    const lifetimeMs = userId === null ? linkLifetimesMs.first : linkLifetimesMs.person;
    const expires_at = new Date(created_at.getTime() + lifetimeMs);
    await database.deleteFrom('one_time_links').where('expires_at', '<', created_at).execute();
    await database
      .insertInto('one_time_links')
      .values({
        hash: linkTokenHash(token),
        user_id: userId,
        organization_id: organizationId,
        proves_email: provesEmail,
        created_at,
        expires_at,
      })
      .execute();
    return { token, expiresAt: expires_at };
  }

  return {
    first: async (organizationId) =>
      (await hasMembers(db, organizationId ?? null)) ? null : make({ organizationId }),
    forUser: (userId, { provesEmail = true } = {}) => make({ userId, provesEmail }),
    forMail: (userId, maxLinks) =>
      db.transaction().execute(async (trx) => {
        await lockPerson(trx, userId);
        const validLinks = await trx
          .selectFrom('one_time_links')
          .select('hash')
          .where('user_id', '=', userId)
          .where('proves_email', '=', true)
          .where('expires_at', '>', new Date())
          .execute();
        return validLinks.length < maxLinks ? make({ userId, provesEmail: true }, trx) : null;
      }),
    async check(token) {
      const link = await findLink(db, token, new Date());
      if (link.user_id === null) return checkFirstLink(db, link.organization_id);
      const userQuery = db
        .selectFrom('users')
        .select(['email', 'email_verified'])
        .where('id', '=', link.user_id);
      const { email, email_verified: isProved } = await userQuery.executeTakeFirstOrThrow();
      return { purpose: 'sign-in', email, needsPassword: link.proves_email && !isProved };
    },
    async use(linkUse, hashPassword) {
      const link = await findLink(db, linkUse.token, new Date());
      if (link.user_id === null) requireOwnerFields(linkUse, link);
      const password =
        linkUse.password === undefined ? undefined : await hashPassword(linkUse.password);
      return db.transaction().execute(async (trx) => {
        await consumeLink(trx, link);
        const userId = link.user_id ?? (await makeFirstOwner(trx, link.organization_id, linkUse));
        const email = await changePerson(trx, userId, {
          ...linkUse,
          password,
          isProved: link.proves_email,
        });
        return { userId, email };
      });
    },
  };
}

type LinkRow = Selectable<Schema['one_time_links']>;

const linkTokenHash = (token: string) => createHash('sha256').update(token).digest('hex');

async function findLink(db: Kysely<Schema>, token: string, currentTime: Date): Promise<LinkRow> {
  const link = await db
    .selectFrom('one_time_links')
    .selectAll()
    .where('hash', '=', linkTokenHash(token))
    .where('expires_at', '>', currentTime)
    .executeTakeFirst();
  return link ?? refuseLink();
}

function refuseLink(): never {
  throw new DomainError(
    'NOT_FOUND',
    'This link was already used or has expired. Request a new one.',
  );
}

/** The first owner needs a way to sign in again, and a name that others can see. */
function requireOwnerFields(linkUse: LinkUse, { organization_id }: LinkRow): void {
  const neededFields: (keyof LinkUse)[] = ['name', 'email', 'password'];
  if (organization_id === null) neededFields.push('organization');
  const missingFields = neededFields.filter((name) => linkUse[name] === undefined);
  if (missingFields.length > 0)
    throw new DomainError(
      'INVALID_INPUT',
      `The first owner also needs ${missingFields.join(', ')}`,
    );
}

/**
 * Deletes a used link. For a link of the first person, one statement deletes all such links: if two
 * people use theirs at once, only one succeeds.
 */
async function consumeLink(trx: Transaction<Schema>, { hash, user_id }: LinkRow): Promise<void> {
  const linkQuery = trx.deleteFrom('one_time_links').returning('hash');
  const deletedLinks = await (
    user_id === null ? linkQuery.where('user_id', 'is', null) : linkQuery.where('hash', '=', hash)
  ).execute();
  if (!deletedLinks.some((link) => link.hash === hash)) refuseLink();
}

/** @param organizationId null: whether any organization has members */
async function hasMembers(db: Kysely<Schema>, organizationId: string | null): Promise<boolean> {
  let memberQuery = db.selectFrom('members').select('id');
  if (organizationId !== null)
    memberQuery = memberQuery.where('organization_id', '=', organizationId);
  return (await memberQuery.limit(1).executeTakeFirst()) !== undefined;
}

async function checkFirstLink(
  db: Kysely<Schema>,
  organizationId: string | null,
): Promise<LinkPurpose> {
  if (await hasMembers(db, organizationId)) refuseLink();
  return { purpose: organizationId === null ? 'first-organization' : 'first-owner' };
}

/** Makes the first owner. Refuses if the organization got a member after the link was made. */
async function makeFirstOwner(
  trx: Transaction<Schema>,
  organizationId: string | null,
  use: LinkUse,
): Promise<string> {
  if (await hasMembers(trx, organizationId)) refuseLink();
  const { name = '', email = '' } = use;
  const userId = await addUser(trx, { name, email: email.toLowerCase(), isProved: true });
  const ownedOrganizationId =
    organizationId ?? (await makeOrganization(trx, use.organization ?? ''));
  await addMember(trx, { organizationId: ownedOrganizationId, userId, role: 'owner' });
  return userId;
}
