import type { Account, OneTimeLink, SessionKey, SignInOptions } from '../../contract/answers.ts';
import {
  type ApiContext,
  type ApiMiddleware,
  type ApiRouter,
  pathParameter,
  sessionOf,
  type ValidBody,
} from '../context.ts';
import type { Needs } from '../parts.ts';
import { createRouter } from '../router.ts';
import { countBadKey } from '../middleware/authenticate.ts';
import { jsonBody } from '../middleware/body.ts';
import { sameOrigin } from '../middleware/editorSession.ts';
import { countToken } from '../middleware/linkLimits.ts';
import { requireSession, setCookies, webHeaders } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import { DomainError } from '../../errors.ts';
import {
  type LinkBody,
  keyBody,
  linkBody,
  linkCheckBody,
  linkRequestBody,
  organizationBody,
} from './account.schema.ts';
import { type AuthDeps, mostBytes, placeOf, rememberDevice } from './auth.ts';

type Deps = AuthDeps & Needs<'audit'>;

/**
 * The account of the person who is signed in. These routes need a session's cookie in place of a
 * key.
 */
export function accountRoutes(deps: Deps): ApiRouter {
  const router = createRouter();
  const withSession = requireSession(deps);
  const writing: ApiMiddleware[] = [sameOrigin(deps.publicUrl), jsonBody({ maxBytes: mostBytes })];
  router.get('/account/options', (ctx) => showOptions(ctx, deps));
  router.get('/account', withSession, (ctx) => showAccount(ctx, deps));
  router.post('/account/key', ...writing, withSession, validate(keyBody), (ctx) =>
    mintKey(ctx, deps),
  );
  router.post(
    '/account/organizations',
    ...writing,
    withSession,
    validate(organizationBody),
    (ctx) => createOrganization(ctx, deps),
  );
  router.post(
    '/account/organizations/:organizationId/leave',
    sameOrigin(deps.publicUrl),
    jsonBody({ maxBytes: mostBytes, optional: true }),
    withSession,
    (ctx) => leave(ctx, deps),
  );
  router.get('/account/invitations/:id', (ctx) => showInvitation(ctx, deps));
  router.post(
    '/account/invitations/:id/accept',
    sameOrigin(deps.publicUrl),
    jsonBody({ maxBytes: mostBytes, optional: true }),
    withSession,
    (ctx) => acceptInvitation(ctx, deps),
  );
  router.post('/account/link/request', ...writing, validate(linkRequestBody), (ctx) =>
    requestLink(ctx, deps),
  );
  router.post('/account/link/check', ...writing, validate(linkCheckBody), (ctx) =>
    checkLink(ctx, deps),
  );
  router.post('/account/link', ...writing, validate(linkBody), (ctx) => followLink(ctx, deps));
  return router;
}

/** GET /account/options */
function showOptions(ctx: ApiContext, { accounts }: Deps): void {
  ctx.body = {
    signUp: accounts.signUp,
    oidc: accounts.oidc,
    mail: accounts.mail.isOn,
  } satisfies SignInOptions;
}

/** GET /account */
async function showAccount(ctx: ApiContext, { accounts }: Deps): Promise<void> {
  const { userId, name, email } = sessionOf(ctx);
  const account: Account = {
    user: { userId, name, email },
    organizations: await accounts.memberships.of(userId),
  };
  ctx.body = account;
}

/** POST /account/key */
async function mintKey(ctx: ApiContext<ValidBody<{ organizationId: string }>>, { accounts }: Deps) {
  const key: SessionKey = await accounts.memberships.mintKey(
    sessionOf(ctx),
    ctx.state.body.organizationId,
  );
  ctx.body = key;
}

/** POST /account/organizations */
async function createOrganization(
  ctx: ApiContext<ValidBody<{ name: string }>>,
  { accounts }: Deps,
) {
  ctx.body = await accounts.memberships.createOrganization(sessionOf(ctx), ctx.state.body.name);
  ctx.status = 201;
}

/**
 * POST /account/organizations/{organizationId}/leave. Needs no key, so that every member can leave,
 * also a viewer.
 */
async function leave(ctx: ApiContext, { accounts, audit }: Deps): Promise<void> {
  const { userId } = sessionOf(ctx);
  const organizationId = pathParameter(ctx, 'organizationId');
  const { email: subject } = await accounts.members.leave(organizationId, userId);
  await audit.record({ organizationId, userId, address: ctx.ip, action: 'member.remove', subject });
  ctx.status = 204;
}

/** GET /account/invitations/{id} */
async function showInvitation(ctx: ApiContext, deps: Deps): Promise<void> {
  const id = pathParameter(ctx, 'id').toLowerCase(); // spellings in another case count together
  const offer = await counted(ctx, deps, () => deps.accounts.invitations.offer(id));
  await countToken(ctx, deps.rateLimits, id);
  ctx.body = offer;
}

/** POST /account/invitations/{id}/accept */
async function acceptInvitation(ctx: ApiContext, deps: Deps): Promise<void> {
  const session = sessionOf(ctx);
  const accept = () => deps.accounts.invitations.accept(session, pathParameter(ctx, 'id'));
  const { organizationId } = await counted(ctx, deps, accept);
  const { userId, email: subject } = session;
  await deps.audit.record({
    organizationId,
    userId,
    address: ctx.ip,
    action: 'member.join',
    subject,
  });
  ctx.body = { organizationId };
}

/**
 * POST /account/link/request. The answer does not tell whether there is an account for the address.
 */
async function requestLink(ctx: ApiContext<ValidBody<{ email: string }>>, deps: Deps) {
  const { email } = ctx.state.body;
  await deps.signInLimits.countAsked({ ...placeOf(ctx, deps), what: 'link', email });
  deps.accounts.mailLink(email);
  ctx.body = {};
  ctx.status = 202;
}

/** POST /account/link/check */
async function checkLink(ctx: ApiContext<ValidBody<{ token: string }>>, deps: Deps) {
  const { token } = ctx.state.body;
  const link: OneTimeLink = await counted(ctx, deps, () => deps.accounts.links.check(token));
  await countToken(ctx, deps.rateLimits, token);
  ctx.body = link;
}

/** POST /account/link */
async function followLink(ctx: ApiContext<ValidBody<LinkBody>>, deps: Deps) {
  const use = () => deps.accounts.useLink(ctx.state.body, webHeaders(ctx, deps.publicUrl()));
  const { cookies, email } = await counted(ctx, deps, use);
  setCookies(ctx, cookies);
  rememberDevice(ctx, deps, email);
  ctx.body = {};
}

/** Counts unknown tokens for the client's address, like wrong keys. */
async function counted<T>(
  ctx: ApiContext,
  { rateLimits }: Deps,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DomainError && error.code === 'NOT_FOUND')
      await countBadKey(ctx, rateLimits);
    throw error;
  }
}
