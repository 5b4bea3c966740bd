import type { ConsentDecision } from '../../../accounts/assistants/authorization.ts';
import { DomainError } from '../../../errors.ts';
import {
  type ApiContext,
  type ApiMiddleware,
  type ApiRouter,
  pathParameter,
  sessionOf,
  type ValidBody,
} from '../../context.ts';
import { jsonBody } from '../../middleware/body.ts';
import { sameOrigin } from '../../middleware/editorSession.ts';
import { requireSession, type SessionDeps, webHeaders } from '../../middleware/session.ts';
import { validate } from '../../middleware/validate.ts';
import { whereOAuthIsOn } from '../../middleware/whereOAuthIsOn.ts';
import type { SomeApiDeps } from '../../apiDeps.ts';
import { createRouter } from '../../router.ts';
import { consentBody, decisionBody } from './account.schema.ts';
import { mostBytes } from './auth.ts';

type AssistantRouteDeps = SessionDeps & SomeApiDeps<'audit'>;

/**
 * The assistants of the person who is signed in, for the console. An assistant is a program, such
 * as Claude, that a person allows (the consent) to act for them in one organization.
 */
export function assistantRoutes(deps: AssistantRouteDeps): ApiRouter {
  const router = createRouter();
  const withSession = requireSession(deps);
  const fromConsole = sameOrigin(deps.publicUrl);
  const isOn = whereOAuthIsOn(deps.accounts.assistants);
  const writeChecks: ApiMiddleware[] = [isOn, fromConsole, jsonBody({ maxBytes: mostBytes })];
  router.get('/account/assistants', withSession, (ctx) => listOwnAssistants(ctx, deps));
  router.post(
    '/account/assistants/check',
    ...writeChecks,
    withSession,
    validate(consentBody),
    (ctx) => checkConsent(ctx, deps),
  );
  router.post('/account/assistants', ...writeChecks, withSession, validate(decisionBody), (ctx) =>
    decideConsent(ctx, deps),
  );
  router.post(
    '/account/assistants/:assistantId/disconnect',
    fromConsole,
    jsonBody({ maxBytes: mostBytes, optional: true }),
    withSession,
    (ctx) => disconnectOwnAssistant(ctx, deps),
  );
  return router;
}

/** GET /account/assistants */
async function listOwnAssistants(ctx: ApiContext, { accounts }: AssistantRouteDeps): Promise<void> {
  ctx.body = { assistants: await accounts.assistants.of(sessionOf(ctx).userId) };
}

/** POST /account/assistants/check: the program that asks for consent, which the console shows. */
async function checkConsent(
  ctx: ApiContext<ValidBody<{ query: string }>>,
  deps: AssistantRouteDeps,
): Promise<void> {
  const headers = webHeaders(ctx, deps.publicUrl());
  ctx.body = await deps.accounts.assistants.check(ctx.state.body.query, headers);
}

/**
 * POST /account/assistants: allows a program to act in an organization, or refuses it if the body
 * names none. Returns the URL to which the console sends the browser.
 */
async function decideConsent(
  ctx: ApiContext<ValidBody<ConsentDecision>>,
  deps: AssistantRouteDeps,
): Promise<void> {
  const { accounts, audit, publicUrl } = deps;
  const { userId } = sessionOf(ctx);
  const { organizationId } = ctx.state.body;
  if (organizationId !== undefined) {
    const organizations = await accounts.memberships.of(userId);
    if (!organizations.some((organization) => organization.organizationId === organizationId))
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
async function disconnectOwnAssistant(
  ctx: ApiContext,
  { accounts, audit }: AssistantRouteDeps,
): Promise<void> {
  const { userId } = sessionOf(ctx);
  const endedAssistant = await accounts.assistants.end(pathParameter(ctx, 'assistantId'), userId);
  await audit.record({
    organizationId: endedAssistant.organization.organizationId,
    userId,
    address: ctx.ip,
    action: 'assistant.disconnect',
    subject: endedAssistant.name,
  });
  ctx.status = 204;
}
