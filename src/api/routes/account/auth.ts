import { HttpError } from 'koa';
import { PROVIDER } from '../../../accounts/signUpRules.ts';
import { DomainError } from '../../../errors.ts';
import {
  type ApiContext,
  type ApiMiddleware,
  type ApiRouter,
  sessionOf,
  type ValidBody,
} from '../../context.ts';
import type { SomeApiDeps } from '../../apiDeps.ts';
import { createRouter } from '../../router.ts';
import { validBody } from '../../middleware/validBody.ts';
import { readQuery } from '../../middleware/validate.ts';
import { networkOf } from '../../middleware/authenticate.ts';
import { sameOrigin } from '../../middleware/editorSession.ts';
import {
  readCookie,
  requireSession,
  type SessionDeps,
  setCookies,
  setOwnCookie,
  webHeaders,
} from '../../middleware/session.ts';
import { type AuthBody, authBodies } from './account.schema.ts';

export type AuthRouteDeps = SessionDeps & SomeApiDeps<'signInLimits'>;

/** Maximum bytes of a body of `/auth` or `/account`. */
export const mostBytes = 16 * 1024;
const DEVICE_SECONDS = 180 * 24 * 3600;

type AuthBodyContext = ApiContext<ValidBody<AuthBody>>;

/**
 * Signing up, in and out. The library better-auth does the work. These routes limit, validate and
 * pass on the requests, and translate its errors. Its other paths do not exist here.
 */
export function authRoutes(deps: AuthRouteDeps): ApiRouter {
  const router = createRouter();
  const routePost = (
    path: keyof typeof authBodies,
    handler: (ctx: AuthBodyContext, deps: AuthRouteDeps) => Promise<void>,
    ...checksBefore: ApiMiddleware[]
  ) =>
    router.post(
      path,
      sameOrigin(deps.publicUrl),
      ...checksBefore,
      ...validBody<AuthBody>(authBodies[path], { maxBytes: mostBytes, optional: true }),
      (ctx) => handler(ctx, deps),
    );
  routePost('/auth/sign-up/email', signUp);
  routePost('/auth/sign-in/email', signIn);
  routePost('/auth/sign-in/social', signInAtProvider);
  routePost('/auth/sign-out', passThrough);
  routePost('/auth/revoke-sessions', signOutEverywhere, requireSession(deps));
  routePost('/auth/change-password', changePassword, requireSession(deps));
  router.get(`/auth/callback/${PROVIDER}`, (ctx) => returnFromProvider(ctx, deps));
  return router;
}

/**
 * POST /auth/sign-up/email. The response does not reveal whether there was an account for the
 * e-mail address.
 */
async function signUp(ctx: AuthBodyContext, deps: AuthRouteDeps): Promise<void> {
  const { invitationId: spelledInvitationId, ...user } = ctx.state.body;
  const invitationId = spelledInvitationId?.toLowerCase(); // spellings in another case count together
  const { signUp: signUpMode, rules } = deps.accounts;
  const { email = '' } = user;
  const fingerprint = clientFingerprint(ctx, deps);
  const isInvited = await rules.isInvited(email, invitationId ?? '');
  const accountRequest = { ...fingerprint, what: 'sign-up' as const, email };
  await deps.signInLimits.countAsked({
    ...accountRequest,
    invitationId: isInvited ? invitationId : undefined,
  });
  if (signUpMode === 'closed')
    throw new DomainError('FORBIDDEN', 'Forbidden: only the operator can create accounts');
  if (signUpMode === 'invite' && !isInvited)
    throw new DomainError(
      'FORBIDDEN',
      'Forbidden: signing up needs an invitation for this e-mail address',
    );
  const queueKey = (isInvited && invitationId) || fingerprint.network;
  await passToAuth(ctx, deps, user, queueKey).catch((error: unknown) => {
    if (error instanceof HttpError) throw error;
    // a parallel request may have created the account, which the second try finds
    return passToAuth(ctx, deps, user, queueKey);
  });
  ctx.body = {};
}

/** POST /auth/sign-in/email */
async function signIn(ctx: AuthBodyContext, deps: AuthRouteDeps): Promise<void> {
  const { email = '' } = ctx.state.body;
  const { queueKey, takeBack } = await deps.signInLimits.count({
    ...clientFingerprint(ctx, deps),
    email,
  });
  await passToAuth(ctx, deps, ctx.state.body, queueKey);
  await takeBack();
  rememberDevice(ctx, deps, email);
  ctx.body = {};
}

/** The client's network and known-browser cookie, for limits. */
export function clientFingerprint(ctx: ApiContext, { publicUrl }: AuthRouteDeps) {
  return { network: networkOf(ctx.ip), device: readCookie(ctx, 'device', publicUrl()) };
}

/**
 * Makes this browser known for the account: other people's wrong passwords no longer count against
 * it.
 */
export function rememberDevice(ctx: ApiContext, deps: AuthRouteDeps, email: string): void {
  const cookieValue = deps.signInLimits.remember(email, clientFingerprint(ctx, deps).device);
  setOwnCookie(
    ctx,
    { name: 'device', value: cookieValue, seconds: DEVICE_SECONDS },
    deps.publicUrl(),
  );
}

/**
 * POST /auth/sign-in/social. Returns the URL at the OIDC provider to which the console sends the
 * browser.
 */
async function signInAtProvider(ctx: AuthBodyContext, deps: AuthRouteDeps): Promise<void> {
  requireProvider(deps);
  await deps.signInLimits.countToProvider(clientFingerprint(ctx, deps));
  const { provider, callbackURL, errorCallbackURL } = ctx.state.body;
  // better-auth accepts only some paths, but every full URL
  const ownUrl = (path = '/') => new URL(path, deps.publicUrl()).href;
  const signInRequest = {
    provider,
    callbackURL: ownUrl(callbackURL),
    errorCallbackURL: ownUrl(errorCallbackURL),
  };
  const { url } = (await passToAuth(ctx, deps, { ...signInRequest, disableRedirect: true })) as {
    url?: string;
  };
  ctx.body = { url };
}

/**
 * GET /auth/callback/oidc. The provider redirects the browser here; the answer redirects it to the
 * console.
 */
async function returnFromProvider(ctx: ApiContext, deps: AuthRouteDeps): Promise<void> {
  requireProvider(deps);
  // RFC 6749, section 3.1
  if (Object.values(readQuery(ctx)).some(Array.isArray))
    ctx.throw(400, 'A query parameter occurs more than once');
  // HEAD requests, e.g. by link scanners, must not use up the code
  if (ctx.method === 'HEAD') return ctx.redirect('/sign-in');
  await passToAuth(ctx, deps);
  const cookiePairs = [ctx.response.get('Set-Cookie') ?? []]
    .flat()
    .map((cookieLine) => cookieLine.split(';', 1)[0]);
  const { session } = await deps.accounts.session(new Headers({ cookie: cookiePairs.join('; ') }));
  if (session) rememberDevice(ctx, deps, session.email);
}

function requireProvider({ accounts }: AuthRouteDeps): void {
  if (!accounts.oidc) throw new DomainError('NOT_FOUND', 'The service has no OIDC provider');
}

/** POST /auth/revoke-sessions. Ends the person's sessions and assistants. */
async function signOutEverywhere(ctx: AuthBodyContext, deps: AuthRouteDeps): Promise<void> {
  await passThrough(ctx, deps);
  await deps.accounts.assistants.endAll(sessionOf(ctx).userId);
}

/** POST /auth/change-password. Ends the person's other sessions, and assistants. */
async function changePassword(ctx: AuthBodyContext, deps: AuthRouteDeps): Promise<void> {
  const { device } = clientFingerprint(ctx, deps);
  const { queueKey, takeBack } = await deps.signInLimits.countChange({ ...sessionOf(ctx), device });
  await passToAuth(ctx, deps, { ...ctx.state.body, revokeOtherSessions: true }, queueKey);
  await deps.accounts.assistants.endAll(sessionOf(ctx).userId);
  await takeBack();
  ctx.body = {};
}

async function passThrough(ctx: AuthBodyContext, deps: AuthRouteDeps): Promise<void> {
  await passToAuth(ctx, deps, ctx.state.body);
  ctx.body = {};
}

/**
 * Passes a request on to better-auth. Copies the cookies and a redirect of its response, and throws
 * its errors with our status and text.
 * @param queueKey key of the fair queue in which better-auth hashes a password
 * @returns the body of its response
 */
async function passToAuth(
  ctx: ApiContext,
  { accounts, publicUrl }: AuthRouteDeps,
  body?: object,
  queueKey?: string,
): Promise<unknown> {
  const headers = webHeaders(ctx, publicUrl());
  const request = new Request(new URL(`${ctx.path}${ctx.search}`, publicUrl()), {
    method: ctx.method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  const response = await accounts.answer(request, queueKey);
  const responseText = await response.text();
  const authAnswer = (responseText === '' ? {} : JSON.parse(responseText)) as {
    code?: string;
    message?: string;
  };
  if (response.status >= 400) refuseAuth(ctx, response.status, authAnswer);
  setCookies(ctx, response.headers.getSetCookie());
  const location = response.headers.get('location');
  if (response.status >= 300 && location !== null) ctx.redirect(location);
  return authAnswer;
}

/** Our status and text for each expected error code of better-auth. */
const authErrors: Record<string, [status: number, text: string]> = {
  INVALID_EMAIL_OR_PASSWORD: [401, 'Wrong e-mail address or password'],
  INVALID_PASSWORD: [401, 'Wrong password'],
  EMAIL_NOT_VERIFIED: [
    403,
    'Forbidden: first open the link in the e-mail that was sent to this address',
  ],
  INVALID_EMAIL: [400, 'Invalid request body: email must be a valid email'],
  // better-auth accepts fewer characters in addresses than our schema
  VALIDATION_ERROR: [400, 'Invalid request body: email must be a valid email'],
  CREDENTIAL_ACCOUNT_NOT_FOUND: [409, 'This account has no password yet: request a sign-in link'],
  PROVIDER_NOT_FOUND: [503, 'The sign-in provider does not respond. Try again in a minute'],
};

function refuseAuth(ctx: ApiContext, status: number, { code = '' }: { code?: string }): never {
  const [ownStatus, errorText] = authErrors[code] ?? [];
  if (ownStatus === undefined || errorText === undefined)
    throw new Error(`better-auth responded to ${ctx.method} ${ctx.path} with ${status} ${code}`);
  ctx.throw(ownStatus, errorText, { expose: true });
}
