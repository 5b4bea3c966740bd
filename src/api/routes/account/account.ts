import type {
  EventMailSetting,
  SignedInAccount,
  OneTimeLink,
  SessionApiKey,
  SignInOptions,
} from '../../../contract/responses.ts';
import {
  type ApiContext,
  type ApiMiddleware,
  type ApiRouter,
  pathParameter,
  sessionOf,
  type ValidBody,
} from '../../context.ts';
import type { SomeApiDeps } from '../../apiDeps.ts';
import { createRouter } from '../../router.ts';
import { countBadKey } from '../../middleware/authenticate.ts';
import { jsonBody } from '../../middleware/body.ts';
import { sameOrigin } from '../../middleware/editorSession.ts';
import { countToken } from '../../middleware/linkLimits.ts';
import { requireSession, setCookies, webHeaders } from '../../middleware/session.ts';
import { validate } from '../../middleware/validate.ts';
import { DomainError } from '../../../errors.ts';
import {
  type LinkBody,
  eventMailBody,
  keyBody,
  linkBody,
  linkCheckBody,
  linkRequestBody,
  organizationBody,
} from './account.schema.ts';
import { type AuthRouteDeps, mostBytes, clientFingerprint, rememberDevice } from './auth.ts';

type AccountRouteDeps = AuthRouteDeps & SomeApiDeps<'audit' | 'eventMails'>;

/**
 * The account of the person who is signed in, with organizations and invitations, and one-time
 * links. Most of these routes need the cookie of a session instead of an API key.
 */
export function accountRoutes(deps: AccountRouteDeps): ApiRouter {
  const router = createRouter();
  const withSession = requireSession(deps);
  const writeChecks: ApiMiddleware[] = [
    sameOrigin(deps.publicUrl),
    jsonBody({ maxBytes: mostBytes }),
  ];
  router.get('/account/options', (ctx) => showOptions(ctx, deps));
  router.get('/account', withSession, (ctx) => showAccount(ctx, deps));
  router.post('/account/key', ...writeChecks, withSession, validate(keyBody), (ctx) =>
    mintKey(ctx, deps),
  );
  router.get('/account/event-mails', withSession, async (ctx) => {
    const areWanted = await deps.eventMails.areWanted(sessionOf(ctx).userId);
    ctx.body = { areWanted } satisfies EventMailSetting;
  });
  router.post(
    '/account/event-mails',
    ...writeChecks,
    withSession,
    validate(eventMailBody),
    async (ctx) => {
      const { areWanted } = ctx.state.body;
      await deps.eventMails.setWanted(sessionOf(ctx).userId, areWanted);
      ctx.body = { areWanted } satisfies EventMailSetting;
    },
  );
  router.post(
    '/account/organizations',
    ...writeChecks,
    withSession,
    validate(organizationBody),
    (ctx) => createOrganization(ctx, deps),
  );
  router.post(
    '/account/organizations/:organizationId/leave',
    sameOrigin(deps.publicUrl),
    jsonBody({ maxBytes: mostBytes, optional: true }),
    withSession,
    (ctx) => leaveOrganization(ctx, deps),
  );
  router.get('/account/invitations/:id', (ctx) => showInvitation(ctx, deps));
  router.post(
    '/account/invitations/:id/accept',
    sameOrigin(deps.publicUrl),
    jsonBody({ maxBytes: mostBytes, optional: true }),
    withSession,
    (ctx) => acceptInvitation(ctx, deps),
  );
  router.post('/account/link/request', ...writeChecks, validate(linkRequestBody), (ctx) =>
    requestLink(ctx, deps),
  );
  router.post('/account/link/check', ...writeChecks, validate(linkCheckBody), (ctx) =>
    checkLink(ctx, deps),
  );
  router.post('/account/link', ...writeChecks, validate(linkBody), (ctx) => followLink(ctx, deps));
  return router;
}

/** GET /account/options */
function showOptions(ctx: ApiContext, { accounts }: AccountRouteDeps): void {
  ctx.body = {
    signUp: accounts.signUp,
    oidc: accounts.oidc,
    mail: accounts.mail.isOn,
  } satisfies SignInOptions;
}

/** GET /account */
async function showAccount(ctx: ApiContext, { accounts }: AccountRouteDeps): Promise<void> {
  const { userId, name, email } = sessionOf(ctx);
  const account: SignedInAccount = {
    user: { userId, name, email },
    organizations: await accounts.memberships.of(userId),
  };
  ctx.body = account;
}

/** POST /account/key: creates a short-lived API key with which the console calls the API. */
async function mintKey(
  ctx: ApiContext<ValidBody<{ organizationId: string }>>,
  { accounts }: AccountRouteDeps,
) {
  const mintedKey: SessionApiKey = await accounts.memberships.mintKey(
    sessionOf(ctx),
    ctx.state.body.organizationId,
  );
  ctx.body = mintedKey;
}

/** POST /account/organizations */
async function createOrganization(
  ctx: ApiContext<ValidBody<{ name: string }>>,
  { accounts }: AccountRouteDeps,
) {
  ctx.body = await accounts.memberships.createOrganization(sessionOf(ctx), ctx.state.body.name);
  ctx.status = 201;
}

/**
 * POST /account/organizations/{organizationId}/leave. Needs no API key, so that viewers, who can't
 * have one, can leave too.
 */
async function leaveOrganization(
  ctx: ApiContext,
  { accounts, audit }: AccountRouteDeps,
): Promise<void> {
  const { userId } = sessionOf(ctx);
  const organizationId = pathParameter(ctx, 'organizationId');
  const { email: subject } = await accounts.members.leave(organizationId, userId);
  await audit.record({ organizationId, userId, address: ctx.ip, action: 'member.remove', subject });
  ctx.status = 204;
}

/** GET /account/invitations/{id} */
async function showInvitation(ctx: ApiContext, deps: AccountRouteDeps): Promise<void> {
  const id = pathParameter(ctx, 'id').toLowerCase(); // spellings in another case count together
  const invitationOffer = await countUnknownTokens(ctx, deps, () =>
    deps.accounts.invitations.offer(id),
  );
  await countToken(ctx, deps.rateLimits, id);
  ctx.body = invitationOffer;
}

/** POST /account/invitations/{id}/accept */
async function acceptInvitation(ctx: ApiContext, deps: AccountRouteDeps): Promise<void> {
  const session = sessionOf(ctx);
  const acceptOffer = () => deps.accounts.invitations.accept(session, pathParameter(ctx, 'id'));
  const { organizationId } = await countUnknownTokens(ctx, deps, acceptOffer);
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
 * POST /account/link/request: mails a one-time sign-in link. The response does not reveal whether
 * there is an account for the e-mail address.
 */
async function requestLink(ctx: ApiContext<ValidBody<{ email: string }>>, deps: AccountRouteDeps) {
  const { email } = ctx.state.body;
  await deps.signInLimits.countAsked({ ...clientFingerprint(ctx, deps), what: 'link', email });
  deps.accounts.mailLink(email);
  ctx.body = {};
  ctx.status = 202;
}

/** POST /account/link/check: the purpose of a one-time link, which is not used up. */
async function checkLink(ctx: ApiContext<ValidBody<{ token: string }>>, deps: AccountRouteDeps) {
  const { token } = ctx.state.body;
  const link: OneTimeLink = await countUnknownTokens(ctx, deps, () =>
    deps.accounts.links.check(token),
  );
  await countToken(ctx, deps.rateLimits, token);
  ctx.body = link;
}

/** POST /account/link: uses a one-time link, which signs the person in. */
async function followLink(ctx: ApiContext<ValidBody<LinkBody>>, deps: AccountRouteDeps) {
  const useLink = () => deps.accounts.useLink(ctx.state.body, webHeaders(ctx, deps.publicUrl()));
  const { cookies, email } = await countUnknownTokens(ctx, deps, useLink);
  setCookies(ctx, cookies);
  rememberDevice(ctx, deps, email);
  ctx.body = {};
}

/** Runs work that looks up a token. An unknown token counts like a wrong API key. */
async function countUnknownTokens<T>(
  ctx: ApiContext,
  { rateLimits }: AccountRouteDeps,
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
