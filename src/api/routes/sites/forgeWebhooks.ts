import { type ApiContext, type ApiRouter, pathParameter } from '../../context.ts';
import { refuseKey } from '../../middleware/authenticate.ts';
import { bodyReader } from '../../middleware/body.ts';
import { countOrThrow } from '../../middleware/rateLimit.ts';
import type { RouteDeps } from '../../apiDeps.ts';
import { createRouter } from '../../router.ts';

type ForgeWebhookRouteDeps = RouteDeps<'forgeNews'>;

/** Forges send more only for pushes of very many commits. */
const BODY_BYTES = 1_000_000;

/** The webhooks of forges, which the forge's signature lets in. */
export function forgeWebhookRoutes(deps: ForgeWebhookRouteDeps): ApiRouter {
  const router = createRouter();
  router.post('/webhooks/forges/:siteId', (ctx) => receiveWebhook(ctx, deps));
  return router;
}

const readBody = bodyReader({ types: ['application/json'], maxBytes: BODY_BYTES });

/**
 * POST /webhooks/forges/{siteId}: signed webhooks count for the site, all others for their sender's
 * address. So nobody else can use up a site's limit.
 */
async function receiveWebhook(
  ctx: ApiContext,
  { forgeNews, rateLimits: limits }: ForgeWebhookRouteDeps,
) {
  const siteId = pathParameter(ctx, 'siteId').slice(0, 100);
  const request = { headers: ctx.req.headers, body: await readBody(ctx) };
  const { webhooks } = limits;
  const admitSigned = () =>
    countOrThrow(`More than ${webhooks.points} webhooks of the site per minute`, [
      ['webhooks', webhooks, siteId],
    ]);
  if (!(await forgeNews.receive(siteId, request, admitSigned)))
    return refuseKey(ctx, limits, 'the signature does not match the webhook secret of the site');
  ctx.status = 204;
}
