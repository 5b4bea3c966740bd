import { randomUUID } from 'node:crypto';
import { betterAuth, type BetterAuthOptions, type BetterAuthPlugin } from 'better-auth';
import { APIError, createAuthEndpoint } from 'better-auth/api';
import type { Kysely } from 'kysely';
import { setSessionCookie } from 'better-auth/cookies';
import type { Schema } from '../storage/schema.ts';
import { passwordLength } from '../contract/passwordLength.ts';
import type { PasswordHasher } from './passwords.ts';
import { createOidcClient, type OidcSettings } from './oidcClient.ts';
import { oidcPlugin } from './oidcPlugin.ts';
import type { NewUser, SignUpRules } from './signUpRules.ts';
import { ADDRESS_HEADER, type SessionBeginning } from './noteSignIns.ts';
import type { Assistants } from './assistants/assistants.ts';
import { oauthPlugin } from './assistants/oauthPlugin.ts';

/** Seconds that a session lasts, and seconds after which its use extends it. */
const SESSION = { expiresIn: 14 * 24 * 3600, updateAge: 24 * 3600 };

interface AuthLog {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

interface LinkRecipient {
  id: string;
  email: string;
}

export interface AuthDeps {
  db: Kysely<Schema>;
  /** 32 random bytes that sign cookies. */
  secret: Buffer;
  /** The service's URL for clients. */
  publicUrl: URL;
  rules: SignUpRules;
  /** Whether people must open the link in a mail before they first sign in with a password. */
  verifiesEmail: boolean;
  /** Sends the link that proves an e-mail address, without waiting for it. */
  sendLink: (user: LinkRecipient) => void;
  /** Called when a session begins. */
  noteSession: (beginning: SessionBeginning) => Promise<void>;
  /** The provider where people may also sign in. */
  oidc?: OidcSettings | undefined;
  passwords: PasswordHasher;
  /** What better-auth's OAuth provider needs to know of assistants. */
  assistants: Pick<Assistants, 'resource' | 'chosenOrganization' | 'isConnected'>;
  log: AuthLog;
}

export type BetterAuth = ReturnType<typeof createAuth>;

/**
 * Sets up better-auth on our tables. It handles users, passwords, sessions, the OIDC provider and
 * assistants, and nothing else.
 */
export function createAuth(deps: AuthDeps) {
  const { db, secret, publicUrl, oidc, log, assistants } = deps;
  return betterAuth({
    appName: 'Agent Tasks Service',
    baseURL: publicUrl.origin,
    basePath: '/auth',
    secrets: [{ version: 1, value: secret.toString('base64') }],
    database: { db, type: 'postgres', transaction: false },
    ...authTables,
    ...signInOptions(deps),
    advanced: advancedOptions(publicUrl),
    onAPIError: { errorURL: new URL('/sign-in', publicUrl).href },
    plugins: [
      sessionPlugin(),
      oauthPlugin(assistants),
      ...(oidc ? [oidcPlugin(createOidcClient(oidc))] : []),
    ] as [ReturnType<typeof sessionPlugin>, ...BetterAuthPlugin[]],
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: {
      level: 'error',
      disableColors: true,
      log: (_level, message, ...details) =>
        log.error(
          { err: details.find((detail) => detail instanceof Error) },
          `sign-in library: ${message}`,
        ),
    },
  });
}

const timeFields = { createdAt: 'created_at', updatedAt: 'updated_at' };

const authTables = {
  user: { modelName: 'users', fields: { ...timeFields, emailVerified: 'email_verified' } },
  session: {
    modelName: 'sessions',
    fields: {
      ...timeFields,
      userId: 'user_id',
      expiresAt: 'expires_at',
      ipAddress: 'ip_address',
      userAgent: 'user_agent',
    },
    ...SESSION,
  },
  account: {
    modelName: 'user_accounts',
    fields: {
      ...timeFields,
      userId: 'user_id',
      accountId: 'account_id',
      providerId: 'provider_id',
      accessToken: 'access_token',
      refreshToken: 'refresh_token',
      idToken: 'id_token',
      accessTokenExpiresAt: 'access_token_expires_at',
      refreshTokenExpiresAt: 'refresh_token_expires_at',
    },
    updateAccountOnSignIn: false,
  },
  verification: { modelName: 'verifications', fields: { ...timeFields, expiresAt: 'expires_at' } },
} satisfies Partial<BetterAuthOptions>;

function signInOptions({ rules, verifiesEmail, sendLink, noteSession, passwords }: AuthDeps) {
  return {
    emailAndPassword: {
      enabled: true,
      // with `false`, the response does not reveal whether the address is known
      autoSignIn: false,
      requireEmailVerification: verifiesEmail,
      minPasswordLength: passwordLength.least,
      maxPasswordLength: passwordLength.most,
      password: passwords,
      onExistingUserSignUp: ({ user }: { user: LinkRecipient }) =>
        Promise.resolve(verifiesEmail ? sendLink(user) : undefined),
    },
    emailVerification: {
      sendVerificationEmail: ({ user }: { user: LinkRecipient }) => Promise.resolve(sendLink(user)),
    },
    databaseHooks: {
      user: {
        create: {
          before: (user: NewUser, ctx: AuthCall | null) =>
            refuseUnless(rules.allow(user, ctx?.path !== SIGN_UP)),
        },
      },
      account: { create: { before: withoutTokens } },
      session: {
        create: {
          after: ({ userId }: { userId: string }, ctx: AuthCall | null) =>
            noteSession({
              userId,
              path: ctx?.path,
              address: ctx?.headers?.get(ADDRESS_HEADER) ?? undefined,
            }),
        },
      },
    },
  } satisfies Partial<BetterAuthOptions>;
}

/**
 * The call that signs up with a password. Any other call that makes a user comes from the OIDC
 * provider.
 */
const SIGN_UP = '/sign-up/email';

interface AuthCall {
  path?: string;
  headers?: Headers | undefined;
}

async function refuseUnless(allowed: Promise<boolean>): Promise<void> {
  if (!(await allowed))
    throw new APIError('FORBIDDEN', { code: 'SIGN_UP_DISABLED', message: 'signup disabled' });
}

/** Removes the provider's tokens, because the service never calls the provider's API. */
const withoutTokens = (account: object) =>
  Promise.resolve({ data: { ...account, accessToken: null, refreshToken: null, idToken: null } });

/**
 * With https, cookie names begin with `__Host-`: browsers then accept the cookie over https only,
 * and send it to this host only (RFC 6265bis, section 4.1.3.2).
 */
function advancedOptions({ protocol }: URL) {
  const isSecure = protocol === 'https:';
  return {
    cookiePrefix: isSecure ? '__Host-agent_tasks' : 'agent_tasks',
    useSecureCookies: false, // `true` would add another prefix
    defaultCookieAttributes: { httpOnly: true, sameSite: 'lax', path: '/', secure: isSecure },
    ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
    // our tables lack columns of the OAuth provider that no call of ours uses
    database: { generateId: () => randomUUID(), validateSchema: false },
  } satisfies BetterAuthOptions['advanced'];
}

const sessionCallOptions = {
  method: 'POST',
  metadata: { $Infer: { body: {} as { userId: string } } },
} as const;

/**
 * Adds a call to better-auth that begins a session for a person who used a one-time link. It can't
 * be called by HTTP.
 */
function sessionPlugin() {
  return {
    id: 'session-of',
    endpoints: {
      beginSession: createAuthEndpoint.serverOnly(sessionCallOptions, async (ctx) => {
        const { internalAdapter } = ctx.context;
        const { userId } = ctx.body;
        const user = await internalAdapter.findUserById(userId);
        if (!user) throw ctx.error('NOT_FOUND');
        const session = await internalAdapter.createSession(user.id);
        await setSessionCookie(ctx, { session, user });
        return ctx.json({});
      }),
    },
  } satisfies BetterAuthPlugin;
}
