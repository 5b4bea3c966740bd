import Router from '@koa/router';
import type { ApiRouter, ApiState } from '../context.ts';
import { openapiDocument } from '../openapi.ts';

/**
 * `GET /openapi.json`, without a key.
 * @param publicUrl the address that clients use
 */
export function documentRoutes({ publicUrl }: { publicUrl: () => URL }): ApiRouter {
  const router = new Router<ApiState>({ strict: true, sensitive: true });
  let document: string | undefined;
  router.get('/openapi.json', (ctx) => {
    ctx.type = 'json';
    ctx.body = document ??= JSON.stringify(openapiDocument(publicUrl().href));
  });
  return router;
}
