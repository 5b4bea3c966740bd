import { HttpError } from 'koa';
import { PROVIDER } from '../../accounts/signUp.ts';
import { DomainError } from '../../errors.ts';
import {
  type ApiContext,
  type ApiMiddleware,
  type ApiRouter,
  sessionOf,
  type ValidBody,
} from '../context.ts';
import type { Needs } from '../parts.ts';
import { createRouter } from '../router.ts';
import { validBody } from '../middleware/validBody.ts';
import { networkOf } from '../middleware/authenticate.ts';
import { sameOrigin } from '../middleware/editorSession.ts';
import {
  readCookie,
  requireSession,
  type SessionDeps,
  setCookies,
  setOwnCookie,
  webHeaders,
} from '../middleware/session.ts';
import { type AuthBody, authBodies } from './account.schema.ts';

export type AuthDeps = SessionDeps & Needs<'signInLimits'>;

/** Maximum bytes of a body of `/auth` or `/account`. */
export const mostBytes = 16 * 1024;
const DEVICE_SECONDS = 180 * 24 * 3600;

type BodyContext = ApiContext<ValidBody<AuthBody>>;

/**
 * The routes of better-auth that clients may use: signing up, in and out. All its other paths are
 * 404.
 */
export function authRoutes(deps: AuthDeps): ApiRouter {
  const router = createRouter();
  const post = (
    path: keyof typeof authBodies,
    handler: (ctx: BodyContext, deps: AuthDeps) => Promise<void>,
    ...before: ApiMiddleware[]
  ) =>
    router.post(
      path,
      sameOrigin(deps.publicUrl),
      ...before,
      ...validBody<AuthBody>(authBodies[path], { maxBytes: mostBytes, optional: true }),
      (ctx) => handler(ctx, deps),
    );
  post('/auth/sign-up/email', signUp);
  post('/auth/sign-in/email', signIn);
  post('/auth/sign-in/social', signInAtProvider);
  post('/auth/sign-out', pass);
  post('/auth/revoke-sessions', signOutEverywhere, requireSession(deps));
  post('/auth/change-password', changePassword, requireSession(deps));
  router.get(`/auth/callback/${PROVIDER}`, (ctx) => comeBack(ctx, deps));
  return router;
}

/**
 * POST /auth/sign-up/email. The answer does not tell whether there was an account for the address.
 */
async function signUp(ctx: BodyContext, deps: AuthDeps): Promise<void> {
  const { invitationId: spelled, ...user } = ctx.state.body;
  const invitationId = spelled?.toLowerCase(); // spellings in another case count together
  const { signUp: allowed, rules } = deps.accounts;
  const { email = '' } = user;
  const place = placeOf(ctx, deps);
  const isInvited = await rules.isInvited(email, invitationId ?? '');
  const asked = { ...place, what: 'sign-up' as const, email };
  await deps.signInLimits.countAsked({
    ...asked,
    invitationId: isInvited ? invitationId : undefined,
  });
  if (allowed === 'closed')
    throw new DomainError('FORBIDDEN', 'Forbidden: accounts are made by the operator here');
  if (allowed === 'invite' && !isInvited)
    throw new DomainError(
      'FORBIDDEN',
      'Forbidden: signing up needs an invitation for this address',
    );
  const queueKey = (isInvited && invitationId) || place.network;
  await send(ctx, deps, user, queueKey).catch((error: unknown) => {
    if (error instanceof HttpError) throw error;
    // the address may have got its account meanwhile: the second try finds it
    return send(ctx, deps, user, queueKey);
  });
  ctx.body = {};
}

/** POST /auth/sign-in/email */
async function signIn(ctx: BodyContext, deps: AuthDeps): Promise<void> {
  const { email = '' } = ctx.state.body;
  const { queueKey, takeBack } = await deps.signInLimits.count({ ...placeOf(ctx, deps), email });
  await send(ctx, deps, ctx.state.body, queueKey);
  await takeBack();
  rememberDevice(ctx, deps, email);
  ctx.body = {};
}

/** The client's network and known-browser cookie, for limits. */
export function placeOf(ctx: ApiContext, { publicUrl }: AuthDeps) {
  return { network: networkOf(ctx.ip), device: readCookie(ctx, 'device', publicUrl()) };
}

/**
 * Makes this browser known for the account: other people's wrong passwords no longer count against
 * it.
 */
export function rememberDevice(ctx: ApiContext, deps: AuthDeps, email: string): void {
  const value = deps.signInLimits.remember(email, placeOf(ctx, deps).device);
  setOwnCookie(ctx, { name: 'device', value, seconds: DEVICE_SECONDS }, deps.publicUrl());
}

/**
 * POST /auth/sign-in/social. Answers with the OIDC provider's address, to which the console sends
 * the browser.
 */
async function signInAtProvider(ctx: BodyContext, deps: AuthDeps): Promise<void> {
  requireProvider(deps);
  await deps.signInLimits.countToProvider(placeOf(ctx, deps));
  const { provider, callbackURL, errorCallbackURL } = ctx.state.body;
  // better-auth accepts only some paths, but every address
  const here = (path = '/') => new URL(path, deps.publicUrl()).href;
  const way = {
    provider,
    callbackURL: here(callbackURL),
    errorCallbackURL: here(errorCallbackURL),
  };
  const { url } = (await send(ctx, deps, { ...way, disableRedirect: true })) as { url?: string };
  ctx.body = { url };
}

/**
 * GET /auth/callback/oidc. The provider redirects the browser here; the answer redirects it to the
 * console.
 */
async function comeBack(ctx: ApiContext, deps: AuthDeps): Promise<void> {
  requireProvider(deps);
  // RFC 6749, section 3.1
  if (Object.values(ctx.query).some(Array.isArray)) ctx.throw(400, 'A parameter is given twice');
  // HEAD requests, e.g. by link scanners, must not use up the code
  if (ctx.method === 'HEAD') return ctx.redirect('/sign-in');
  await send(ctx, deps);
  const cookie = [ctx.response.get('Set-Cookie') ?? []].flat().map((line) => line.split(';', 1)[0]);
  const { session } = await deps.accounts.session(new Headers({ cookie: cookie.join('; ') }));
  if (session) rememberDevice(ctx, deps, session.email);
}

function requireProvider({ accounts }: AuthDeps): void {
  if (!accounts.oidc) throw new DomainError('NOT_FOUND', 'No OIDC provider is configured');
}

/** POST /auth/revoke-sessions. Ends the person's sessions and assistants. */
async function signOutEverywhere(ctx: BodyContext, deps: AuthDeps): Promise<void> {
  await pass(ctx, deps);
  await deps.accounts.assistants.endAll(sessionOf(ctx).userId);
}

/** POST /auth/change-password. Ends the person's other sessions, and assistants. */
async function changePassword(ctx: BodyContext, deps: AuthDeps): Promise<void> {
  const { device } = placeOf(ctx, deps);
  const { queueKey, takeBack } = await deps.signInLimits.countChange({ ...sessionOf(ctx), device });
  await send(ctx, deps, { ...ctx.state.body, revokeOtherSessions: true }, queueKey);
  await deps.accounts.assistants.endAll(sessionOf(ctx).userId);
  await takeBack();
  ctx.body = {};
}

async function pass(ctx: BodyContext, deps: AuthDeps): Promise<void> {
  await send(ctx, deps, ctx.state.body);
  ctx.body = {};
}

/**
 * Passes a request on to better-auth. Takes over the status, cookies and `Location` of its answer,
 * and throws its errors in our words.
 * @param queueKey key of the fair queue in which better-auth hashes a password
 */
async function send(
  ctx: ApiContext,
  { accounts, publicUrl }: AuthDeps,
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
  const text = await response.text();
  const answer = (text === '' ? {} : JSON.parse(text)) as { code?: string; message?: string };
  if (response.status >= 400) refuse(ctx, response.status, answer);
  setCookies(ctx, response.headers.getSetCookie());
  const location = response.headers.get('location');
  if (response.status >= 300 && location !== null) ctx.redirect(location);
  return answer;
}

/** Our status and text for each error of better-auth. Other errors are unexpected. */
const words: Record<string, [status: number, text: string]> = {
  INVALID_EMAIL_OR_PASSWORD: [401, 'Wrong e-mail address or password'],
  INVALID_PASSWORD: [401, 'Wrong password'],
  EMAIL_NOT_VERIFIED: [
    403,
    'Forbidden: open the link in the mail that was sent to this address first',
  ],
  INVALID_EMAIL: [400, 'Invalid request body: email must be a valid email'],
  // better-auth accepts fewer characters in addresses than our schema
  VALIDATION_ERROR: [400, 'Invalid request body: email must be a valid email'],
  CREDENTIAL_ACCOUNT_NOT_FOUND: [409, 'This account has no password yet: ask for a link'],
  PROVIDER_NOT_FOUND: [503, 'The sign-in provider does not answer'],
};

function refuse(ctx: ApiContext, status: number, { code = '' }: { code?: string }): never {
  const [ownStatus, text] = words[code] ?? [];
  if (ownStatus === undefined || text === undefined)
    throw new Error(`better-auth answered ${ctx.method} ${ctx.path} with ${status} ${code}`);
  ctx.throw(ownStatus, text, { expose: true });
}
