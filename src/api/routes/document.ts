import Router from '@koa/router';
import type { ApiRouter, ApiState } from '../context.ts';
import { openapiDocument } from '../openapi.ts';

export interface DocumentDeps {
  /** The address that clients use. */
  publicUrl: () => URL;
  /** For how many days Temporal keeps a finished task. */
  retentionDays: number;
}

/** `GET /openapi.json`, without a key. */
export function documentRoutes({ publicUrl, retentionDays }: DocumentDeps): ApiRouter {
  const router = new Router<ApiState>({ strict: true, sensitive: true });
  let document: string | undefined;
  router.get('/openapi.json', (ctx) => {
    ctx.type = 'json';
    ctx.body = document ??= JSON.stringify(
      openapiDocument({ publicUrl: publicUrl().href, retentionDays }),
    );
  });
  return router;
}
