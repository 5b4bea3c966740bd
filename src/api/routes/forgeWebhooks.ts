import { type ApiContext, type ApiMiddleware, type ApiRouter, pathParameter } from '../context.ts';
import { refuseKey } from '../middleware/authenticate.ts';
import { bodyReader } from '../middleware/body.ts';
import { countOr } from '../middleware/rateLimit.ts';
import type { RouteNeeds } from '../parts.ts';
import { createRouter } from '../router.ts';

type Deps = RouteNeeds<'forgeNews'>;

/** Forges send more only for pushes of very many commits. */
const BODY_BYTES = 1_000_000;

/** The webhooks of forges, which the forge's signature lets in. */
export function forgeWebhookRoutes(deps: Deps): ApiRouter {
  const router = createRouter();
  router.post('/webhooks/forges/:siteId', limited(deps), (ctx) => receive(ctx, deps));
  return router;
}

/** Counts all webhooks of a site together. */
function limited({ rateLimits }: Deps): ApiMiddleware {
  return async function limited(ctx, next) {
    const siteId = pathParameter(ctx, 'siteId').slice(0, 100);
    const { webhooks } = rateLimits;
    await countOr(`Over ${webhooks.points} webhooks of the site per minute`, [
      ['webhooks', webhooks, siteId],
    ]);
    await next();
  };
}

const readBody = bodyReader({ types: ['application/json'], maxBytes: BODY_BYTES });

/** POST /webhooks/forges/{siteId} */
async function receive(ctx: ApiContext, { forgeNews, rateLimits }: Deps) {
  const body = await readBody(ctx);
  const { headers } = ctx.req;
  if (!(await forgeNews.receive(pathParameter(ctx, 'siteId'), { headers, body })))
    return refuseKey(ctx, rateLimits, "the signature is not of the site's webhook secret");
  ctx.status = 204;
}
