import { defined } from '../../contract/defined.ts';
import type { Logger } from '../../log.ts';
import type { ApiContext, ApiMiddleware } from '../context.ts';

const longest = 200;

/**
 * Logs one line for each request: ids, status and milliseconds; never a header, a body or a query
 * string.
 */
export function logging(logger: Logger): ApiMiddleware {
  const log = logger.child({}, { redact: [] }); // looking for secrets by name costs more than the rest of the line
  return async function logging(ctx, next) {
    const start = performance.now();
    try {
      await next();
    } finally {
      log.info({ ...describe(ctx), ms: Math.round(performance.now() - start) }, 'request');
    }
  };
}

function describe(ctx: ApiContext) {
  const { requestId, identity, subject } = ctx.state;
  return {
    requestId,
    method: ctx.method,
    host: ctx.host.slice(0, longest),
    path: ctx.url.split(/[?#]/, 1)[0]?.slice(0, longest),
    status: ctx.status,
    ...defined({ organizationId: identity?.organizationId, keyId: identity?.keyId }),
    ...subject,
    ...(ctx.req.destroyed && !ctx.req.complete && { aborted: true }),
  };
}
