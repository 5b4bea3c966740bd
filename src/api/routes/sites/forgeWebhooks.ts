import { type ApiContext, type ApiRouter, pathParameter } from '../../context.ts';
import { refuseKey } from '../../middleware/authenticate.ts';
import { bodyReader } from '../../middleware/body.ts';
import { countOrThrow } from '../../middleware/rateLimit.ts';
import type { RouteDeps } from '../../apiDeps.ts';
import { createRouter } from '../../router.ts';

type ForgeWebhookRouteDeps = RouteDeps<'forgeEvents'>;

/** Maximum bytes of a webhook. Forges send more only for pushes of very many commits. */
const BODY_BYTES = 1_000_000;

/** Receives webhooks of forges, such as GitHub. A signature replaces the API key. */
export function forgeWebhookRoutes(deps: ForgeWebhookRouteDeps): ApiRouter {
  const router = createRouter();
  router.post('/webhooks/forges/:siteId', (ctx) => receiveWebhook(ctx, deps));
  return router;
}

const readBody = bodyReader({ types: ['application/json'], maxBytes: BODY_BYTES });

/**
 * POST /webhooks/forges/{siteId}. Signed webhooks count for the limit of the site, all others for
 * the limit of the sender's IP address. So nobody else can use up the limit of a site.
 */
async function receiveWebhook(
  ctx: ApiContext,
  { forgeEvents, rateLimits: limits }: ForgeWebhookRouteDeps,
) {
  const siteId = pathParameter(ctx, 'siteId').slice(0, 100);
  const request = { headers: ctx.req.headers, body: await readBody(ctx) };
  const { webhooks } = limits;
  const admitSigned = () =>
    countOrThrow(`More than ${webhooks.points} webhooks of the site per minute`, [
      ['webhooks', webhooks, siteId],
    ]);
  if (!(await forgeEvents.receive(siteId, request, admitSigned)))
    return refuseKey(ctx, limits, 'the signature does not match the webhook secret of the site');
  ctx.status = 204;
}
