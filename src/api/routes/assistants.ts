import type { Decision } from '../../accounts/assistants/authorization.ts';
import { DomainError } from '../../errors.ts';
import {
  type ApiContext,
  type ApiMiddleware,
  type ApiRouter,
  pathParameter,
  sessionOf,
  type ValidBody,
} from '../context.ts';
import { jsonBody } from '../middleware/body.ts';
import { sameOrigin } from '../middleware/editorSession.ts';
import { requireSession, type SessionDeps, webHeaders } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import { whereOAuthIsOn } from '../middleware/whereOAuthIsOn.ts';
import type { Needs } from '../parts.ts';
import { createRouter } from '../router.ts';
import { consentBody, decisionBody } from './account.schema.ts';
import { mostBytes } from './auth.ts';

type Deps = SessionDeps & Needs<'audit'>;

/** The assistants of the person who is signed in, for the console. */
export function assistantRoutes(deps: Deps): ApiRouter {
  const router = createRouter();
  const withSession = requireSession(deps);
  const fromConsole = sameOrigin(deps.publicUrl);
  const isOn = whereOAuthIsOn(deps.accounts.assistants);
  const writing: ApiMiddleware[] = [isOn, fromConsole, jsonBody({ maxBytes: mostBytes })];
  router.get('/account/assistants', withSession, (ctx) => list(ctx, deps));
  router.post('/account/assistants/check', ...writing, withSession, validate(consentBody), (ctx) =>
    check(ctx, deps),
  );
  router.post('/account/assistants', ...writing, withSession, validate(decisionBody), (ctx) =>
    decide(ctx, deps),
  );
  router.post(
    '/account/assistants/:assistantId/disconnect',
    fromConsole,
    jsonBody({ maxBytes: mostBytes, optional: true }),
    withSession,
    (ctx) => disconnect(ctx, deps),
  );
  return router;
}

/** GET /account/assistants */
async function list(ctx: ApiContext, { accounts }: Deps): Promise<void> {
  ctx.body = { assistants: await accounts.assistants.of(sessionOf(ctx).userId) };
}

/** POST /account/assistants/check */
async function check(ctx: ApiContext<ValidBody<{ query: string }>>, deps: Deps): Promise<void> {
  const headers = webHeaders(ctx, deps.publicUrl());
  ctx.body = await deps.accounts.assistants.check(ctx.state.body.query, headers);
}

/** POST /account/assistants: allows a program to act, or refuses it. */
async function decide(ctx: ApiContext<ValidBody<Decision>>, deps: Deps): Promise<void> {
  const { accounts, audit, publicUrl } = deps;
  const { userId } = sessionOf(ctx);
  const { organizationId } = ctx.state.body;
  if (organizationId !== undefined) {
    const organizations = await accounts.memberships.of(userId);
    if (!organizations.some((each) => each.organizationId === organizationId))
      throw new DomainError('NOT_FOUND', 'Organization not found');
  }
  const headers = webHeaders(ctx, publicUrl());
  const { url, name } = await accounts.assistants.decide(ctx.state.body, headers);
  if (organizationId !== undefined)
    await audit.record({
      organizationId,
      userId,
      address: ctx.ip,
      action: 'assistant.connect',
      subject: name,
    });
  ctx.body = { url };
}

/** POST /account/assistants/{assistantId}/disconnect */
async function disconnect(ctx: ApiContext, { accounts, audit }: Deps): Promise<void> {
  const { userId } = sessionOf(ctx);
  const ended = await accounts.assistants.end(pathParameter(ctx, 'assistantId'), userId);
  await audit.record({
    organizationId: ended.organization.organizationId,
    userId,
    address: ctx.ip,
    action: 'assistant.disconnect',
    subject: ended.name,
  });
  ctx.status = 204;
}
