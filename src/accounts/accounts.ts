import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { cleanPersonName } from '../contract/text/nameRule.ts';
import { DomainError } from '../errors.ts';
import { createOrganizations } from '../organizations/organizations.ts';
import type { Role } from '../contract/roles.ts';
import type { Schema } from '../storage/schema.ts';
import { type Assistants, createAssistants } from './assistants/assistants.ts';
import type { DocumentFetcher } from './assistants/clientDocuments.ts';
import type { BetterAuth, AuthDeps } from './betterAuth.ts';
import { createInvitations, type Invitations } from './invitations.ts';
import { addMember, addUser } from './addPeople.ts';
import { createLinks, type OneTimeLinks, type LinkUse } from './oneTimeLinks.ts';
import type { Mail } from './mail.ts';
import { createMembers, type Members } from './members.ts';
import type { OidcSettings } from './oidcClient.ts';
import { createMemberships, type Memberships, type AccountSession } from './memberships.ts';
import { createPasswordQueue, type PasswordHasher } from './passwords.ts';
import { noteSignIns } from './noteSignIns.ts';
import { createSignUpRules, PROVIDER, type SignUpMode, type SignUpRules } from './signUpRules.ts';

/** The most sign-in links that are valid at once per person, so that nobody can flood a mailbox. */
const MAX_MAILED_LINKS = 3;
/** Milliseconds to wait for the OIDC provider. */
const PROVIDER_TIMEOUT_MS = 20_000;

export interface AccountOptions {
  db: Kysely<Schema>;
  /** 32 random bytes, the same for every process. */
  secret: () => Promise<Buffer>;
  /** The service's URL for clients. It may be unknown until the first request. */
  publicUrl: () => URL;
  signUp: SignUpMode;
  oidc?: OidcSettings | undefined;
  /** Hashes and verifies passwords. Default: scrypt. */
  passwords?: PasswordHasher | undefined;
  mail: Mail;
  /** Fetches the metadata documents of programs. Absent: programs can only register. */
  fetchDocument?: DocumentFetcher | undefined;
  /** Called after API keys ended, because this process may still cache them. */
  onKeysEnded?: () => void;
  log: {
    warn(fields: object, message: string): void;
    error(fields: object, message: string): void;
  };
}

export interface Accounts {
  signUp: SignUpMode;
  /** Whether people can also sign in at an OIDC provider. */
  oidc: boolean;
  mail: Mail;
  rules: SignUpRules;
  memberships: Memberships;
  links: OneTimeLinks;
  members: Members;
  invitations: Invitations;
  /** The programs that people allow to act for them. */
  assistants: Assistants;
  /**
   * Lets better-auth answer a request to `/auth/…`.
   * @param caller identifies the client. Clients share the password queue fairly
   * @throws DomainError UNAVAILABLE if the OIDC provider does not answer in 20 seconds
   */
  answer(request: Request, caller?: string): Promise<Response>;
  /** The session of a request's cookie, null without a valid one, and the cookies to send back. */
  session(headers: Headers): Promise<{ session: AccountSession | null; cookies: string[] }>;
  /**
   * Signs a person in with a one-time link, which then is used up.
   * @returns the cookies of the new session, and the person's e-mail address
   * @throws DomainError as `OneTimeLinks.use`
   */
  useLink(use: LinkUse, headers: Headers): Promise<{ cookies: string[]; email: string }>;
  /**
   * Creates a sign-in link, which an operator passes on to the person (the command `user link`).
   * @param membership the organization that the person joins, or gets another role in. A person
   *   without an account gets one. Without it, the person must have an account
   * @throws DomainError NOT_FOUND for an unknown person or organization
   */
  createSignInLink(
    email: string,
    membership?: { organizationId: string; role: Role },
  ): Promise<{ url: string; expiresAt: string }>;
  /**
   * Mails a sign-in link to a person who can't sign in. Returns at once, and mails in the
   * background. Does nothing for an unknown address.
   */
  mailLink(email: string): void;
}

/**
 * The accounts of people: how they sign up, sign in, join organizations, and let programs act for
 * them. The library better-auth handles users, passwords and sessions at `/auth/…`. This module
 * sets it up on our tables, and adds what it lacks:
 *
 * - signUpRules.ts decides who may create an account, and oidcClient.ts signs people in at the
 *   provider of their company.
 * - oneTimeLinks.ts makes links that sign a person in once, and mail.ts sends letters.
 * - members.ts, invitations.ts and memberships.ts say who belongs to which organization, with which
 *   role, and give a signed-in person a short-lived API key.
 * - assistants/ lets programs such as Claude act for a person, by OAuth.
 *
 * For example, `createSignInLink('ada@example.com', { organizationId, role: 'admin' })` returns
 * `{ url: 'https://…/welcome#token=…', expiresAt: '…' }`. Ada can sign in with that URL once.
 *
 * better-auth is loaded at its first use only, because it takes 0.3 s and 50 MB (measured).
 */
export function createAccounts(options: AccountOptions): Accounts {
  const { db, signUp, oidc, mail, publicUrl } = options;
  const rules = createSignUpRules(db, signUp);
  const links = createLinks(db);
  const sendLink = (user: MailRecipient) => mail.sendLater(() => createMailedLink(user));
  const { passwords, runForCaller } = createPasswordQueue(options.passwords);
  const assistants = createAssistants({
    db,
    answer: (request) => loadAuth().then(({ handler }) => handler(request)),
    publicUrl,
    fetchDocument: options.fetchDocument,
  });
  const loadAuth = createLazyAuth({
    ...options,
    passwords,
    rules,
    sendLink,
    noteSession: noteSignIns(db),
    assistants,
  });

  async function createMailedLink({ id, email }: MailRecipient) {
    const mailLink = await links.forMail(id, MAX_MAILED_LINKS);
    return mailLink && { to: email, ...signInLetter(linkUrl(publicUrl(), mailLink.token)) };
  }

  return {
    signUp,
    mail,
    rules,
    links,
    memberships: createMemberships(db, signUp),
    members: createMembers(db, options.onKeysEnded),
    invitations: createInvitations({ db, mail, publicUrl }),
    assistants,
    oidc: oidc !== undefined,
    async answer(request, caller = '') {
      const { pathname } = new URL(request.url);
      const atProvider =
        pathname === '/auth/sign-in/social' || pathname === `/auth/callback/${PROVIDER}`;
      const passRequest = () => loadAuth().then(({ handler }) => handler(request));
      return atProvider ? withinProviderTime(passRequest()) : runForCaller(caller, passRequest);
    },
    async session(headers) {
      const { api } = await loadAuth();
      const { response, headers: responseHeaders } = await api.getSession({
        headers,
        returnHeaders: true,
      });
      return {
        session: response && presentSession(response),
        cookies: responseHeaders.getSetCookie(),
      };
    },
    async useLink(linkUse, headers) {
      const { api } = await loadAuth();
      const { userId, email } = await runForCaller(linkUse.token, () =>
        links.use(linkUse, (plainPassword) => passwords.hash(plainPassword)),
      );
      const body = { userId };
      const { headers: responseHeaders } = await api.beginSession({
        body,
        headers,
        returnHeaders: true,
      });
      return { cookies: responseHeaders.getSetCookie(), email };
    },
    async createSignInLink(email, membership) {
      const userId = await findOrAddUser(db, email.toLowerCase(), membership);
      const { token, expiresAt } = await links.forUser(userId);
      return { url: linkUrl(publicUrl(), token), expiresAt: expiresAt.toISOString() };
    },
    mailLink: (email) =>
      mail.sendLater(async () => {
        const userQuery = db.selectFrom('users').select(['id', 'email']);
        const user = await userQuery.where('email', '=', email.toLowerCase()).executeTakeFirst();
        return user ? createMailedLink(user) : null;
      }),
  };
}

/** Finds a person. With an organization, adds a missing account, and the membership or its role. */
async function findOrAddUser(
  db: Kysely<Schema>,
  email: string,
  membership?: { organizationId: string; role: Role },
): Promise<string> {
  const knownUser = await db
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirst();
  if (!membership) {
    if (knownUser) return knownUser.id;
    throw missingAccountError(email);
  }
  const { organizationId, role } = membership;
  await createOrganizations(db).get(organizationId);
  return db.transaction().execute(async (trx) => {
    const userId =
      knownUser?.id ?? (await addUser(trx, { name: cleanPersonName(undefined, email), email }));
    await addMember(trx, { organizationId, userId, role });
    const memberUpdate = trx
      .updateTable('members')
      .set({ role })
      .where('organization_id', '=', organizationId);
    await memberUpdate.where('user_id', '=', userId).where('role', '!=', role).execute();
    return userId;
  });
}

interface MailRecipient {
  id: string;
  email: string;
}

type AuthOptions = AccountOptions &
  Pick<AuthDeps, 'passwords' | 'rules' | 'sendLink' | 'noteSession' | 'assistants'>;

/** @throws DomainError UNAVAILABLE if `work` takes longer than PROVIDER_TIMEOUT_MS */
async function withinProviderTime<T>(work: Promise<T>): Promise<T> {
  const stopTimer = new AbortController();
  const timeoutFailure = delay(PROVIDER_TIMEOUT_MS, undefined, {
    ref: false,
    signal: stopTimer.signal,
  }).then(() => {
    throw new DomainError(
      'UNAVAILABLE',
      'The OIDC provider does not respond. Try again in a minute',
      {
        retryable: true,
        reason: 'The sign-in provider does not respond',
      },
    );
  });
  timeoutFailure.catch(() => undefined);
  return Promise.race([work, timeoutFailure]).finally(() => stopTimer.abort());
}

/** @returns a function that sets up better-auth at its first call, and again after a failure */
function createLazyAuth(options: AuthOptions): () => Promise<BetterAuth> {
  const { secret, publicUrl, signUp, mail } = options;
  let loadedAuth: Promise<BetterAuth> | undefined;

  async function loadAuth() {
    const { createAuth } = await import('./betterAuth.ts');
    const verifiesEmail = signUp === 'open' && mail.isOn;
    const authOptions = { secret: await secret(), publicUrl: publicUrl(), verifiesEmail };
    return createAuth({ ...options, ...authOptions });
  }
  return () =>
    (loadedAuth ??= loadAuth().catch((error: unknown) => {
      loadedAuth = undefined;
      throw error;
    }));
}

/** The URL of a one-time link. The token is in the fragment, which browsers send to no server. */
export function linkUrl(publicUrl: URL, token: string): string {
  return new URL(`/welcome#token=${token}`, publicUrl).href;
}

function signInLetter(url: string) {
  const subject = 'Your sign-in link';
  const text = `Open this link within one hour to sign in. You can use it once.\n\n${url}\n\nIf you did not request this link, ignore this e-mail.\n`;
  return { subject, text };
}

function presentSession({ session, user }: BetterAuth['$Infer']['Session']): AccountSession {
  const { id: sessionId, expiresAt } = session;
  return { sessionId, userId: user.id, name: user.name, email: user.email, expiresAt };
}

export const missingAccountError = (email: string) =>
  new DomainError(
    'NOT_FOUND',
    `There is no account for ${email}. Pass an organization to create one.`,
  );
