import type { ApiRouter } from '../context.ts';
import type { Needs } from '../parts.ts';
import { createRouter } from '../router.ts';
import { openapiDocument } from '../openapi.ts';

type Deps = Needs<'publicUrl' | 'retentionDays'>;

/** `GET /openapi.json`, without a key. */
export function documentRoutes({ publicUrl, retentionDays }: Deps): ApiRouter {
  const router = createRouter();
  let document: string | undefined;
  router.get('/openapi.json', (ctx) => {
    ctx.type = 'json';
    ctx.body = document ??= JSON.stringify(
      openapiDocument({ publicUrl: publicUrl().href, retentionDays }),
    );
  });
  return router;
}
