import { defined } from '../../contract/defined.ts';
import type { Logger } from '../../log.ts';
import type { ApiContext, ApiMiddleware } from '../context.ts';

const longest = 200;

/**
 * Logs one line per request: ids, status and milliseconds. Never logs header fields, bodies or
 * query strings.
 */
export function logging(logger: Logger): ApiMiddleware {
  // redacting by name would cost more than the rest of the line
  const log = logger.child({}, { redact: [] });
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
