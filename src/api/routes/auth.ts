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

/** Bytes of a body of `/auth` or `/account`. */
export const mostBytes = 16 * 1024;
const DEVICE_SECONDS = 180 * 24 * 3600;

type BodyContext = ApiContext<ValidBody<AuthBody>>;

/** The paths of better-auth that are let through: signing up, in and out. All others are 404. */
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
  post('/auth/revoke-sessions', pass, requireSession(deps));
  post('/auth/change-password', changePassword, requireSession(deps));
  router.get(`/auth/callback/${PROVIDER}`, (ctx) => comeBack(ctx, deps));
  return router;
}

/**
 * POST /auth/sign-up/email: the answer is the same whether there is an account for the address or
 * not.
 */
async function signUp(ctx: BodyContext, deps: AuthDeps): Promise<void> {
  const { invitationId: spelled, ...user } = ctx.state.body;
  const invitationId = spelled?.toLowerCase(); // counted as one, however it is spelled
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
  const turn = (isInvited && invitationId) || place.network;
  await send(ctx, deps, user, turn).catch((error: unknown) => {
    if (error instanceof HttpError) throw error;
    return send(ctx, deps, user, turn); // somebody who signed up with the address meanwhile is known now
  });
  ctx.body = {};
}

/** POST /auth/sign-in/email */
async function signIn(ctx: BodyContext, deps: AuthDeps): Promise<void> {
  const { email = '' } = ctx.state.body;
  const { turn, takeBack } = await deps.signInLimits.count({ ...placeOf(ctx, deps), email });
  await send(ctx, deps, ctx.state.body, turn);
  await takeBack();
  rememberDevice(ctx, deps, email);
  ctx.body = {};
}

/** From where somebody asks, for limits. */
export function placeOf(ctx: ApiContext, { publicUrl }: AuthDeps) {
  return { network: networkOf(ctx.ip), device: readCookie(ctx, 'device', publicUrl()) };
}

/** From now on, strangers' tries do not count against this browser. */
export function rememberDevice(ctx: ApiContext, deps: AuthDeps, email: string): void {
  const value = deps.signInLimits.remember(email, placeOf(ctx, deps).device);
  setOwnCookie(ctx, { name: 'device', value, seconds: DEVICE_SECONDS }, deps.publicUrl());
}

/** POST /auth/sign-in/social: says where to send the browser. */
async function signInAtProvider(ctx: BodyContext, deps: AuthDeps): Promise<void> {
  requireProvider(deps);
  await deps.signInLimits.countToProvider(placeOf(ctx, deps));
  const { provider, callbackURL, errorCallbackURL } = ctx.state.body;
  const here = (path = '/') => new URL(path, deps.publicUrl()).href; // of paths, better-auth takes a few only
  const way = {
    provider,
    callbackURL: here(callbackURL),
    errorCallbackURL: here(errorCallbackURL),
  };
  const { url } = (await send(ctx, deps, { ...way, disableRedirect: true })) as { url?: string };
  ctx.body = { url };
}

/** GET /auth/callback/oidc: the provider sends the browser here, and the answer sends it on. */
async function comeBack(ctx: ApiContext, deps: AuthDeps): Promise<void> {
  requireProvider(deps);
  // RFC 6749, section 3.1
  if (Object.values(ctx.query).some(Array.isArray)) ctx.throw(400, 'A parameter is given twice');
  // who asks only for the header, as scanners of links do, uses no code up
  if (ctx.method === 'HEAD') return ctx.redirect('/sign-in');
  await send(ctx, deps);
  const cookie = [ctx.response.get('Set-Cookie') ?? []].flat().map((line) => line.split(';', 1)[0]);
  const { session } = await deps.accounts.session(new Headers({ cookie: cookie.join('; ') }));
  if (session) rememberDevice(ctx, deps, session.email);
}

function requireProvider({ accounts }: AuthDeps): void {
  if (!accounts.oidc) throw new DomainError('NOT_FOUND', 'No OIDC provider is configured');
}

/** POST /auth/change-password: ends the person's other sessions. */
async function changePassword(ctx: BodyContext, deps: AuthDeps): Promise<void> {
  const { device } = placeOf(ctx, deps);
  const { turn, takeBack } = await deps.signInLimits.countChange({ ...sessionOf(ctx), device });
  await send(ctx, deps, { ...ctx.state.body, revokeOtherSessions: true }, turn);
  await takeBack();
  ctx.body = {};
}

async function pass(ctx: BodyContext, deps: AuthDeps): Promise<void> {
  await send(ctx, deps, ctx.state.body);
  ctx.body = {};
}

/**
 * Asks better-auth, and takes over status, cookies and address of its answer; its errors become
 * ours.
 * @param turn whose work a password is that it hashes
 */
async function send(
  ctx: ApiContext,
  { accounts, publicUrl }: AuthDeps,
  body?: object,
  turn?: string,
): Promise<unknown> {
  const headers = webHeaders(ctx, publicUrl());
  const request = new Request(new URL(`${ctx.path}${ctx.search}`, publicUrl()), {
    method: ctx.method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  const response = await accounts.answer(request, turn);
  const text = await response.text();
  const answer = (text === '' ? {} : JSON.parse(text)) as { code?: string; message?: string };
  if (response.status >= 400) refuse(ctx, response.status, answer);
  setCookies(ctx, response.headers.getSetCookie());
  const location = response.headers.get('location');
  if (response.status >= 300 && location !== null) ctx.redirect(location);
  return answer;
}

/** Our words for what better-auth refuses; all else is unforeseen. */
const words: Record<string, [status: number, text: string]> = {
  INVALID_EMAIL_OR_PASSWORD: [401, 'Wrong e-mail address or password'],
  INVALID_PASSWORD: [401, 'Wrong password'],
  EMAIL_NOT_VERIFIED: [
    403,
    'Forbidden: open the link in the mail that was sent to this address first',
  ],
  INVALID_EMAIL: [400, 'Invalid request body: email must be a valid email'],
  // of a body that our schema takes: better-auth takes fewer signs in addresses
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
