import { withoutUndefined } from '../../contract/withoutUndefined.ts';
import type { ServiceLogger } from '../../log.ts';
import type { ApiContext, ApiMiddleware } from '../context.ts';

const maxLength = 200;

/**
 * Logs one line per request: ids, status and milliseconds. Never logs header fields, bodies or
 * query strings.
 */
export function logging(logger: ServiceLogger): ApiMiddleware {
  // redacting by name would cost more than the rest of the line
  const requestLog = logger.child({}, { redact: [] });
  return async function logging(ctx, next) {
    const startedAt = performance.now();
    try {
      await next();
    } finally {
      requestLog.info(
        { ...describeRequest(ctx), ms: Math.round(performance.now() - startedAt) },
        'request completed',
      );
    }
  };
}

function describeRequest(ctx: ApiContext) {
  const { requestId, identity, logContext } = ctx.state;
  return {
    requestId,
    method: ctx.method,
    host: ctx.host.slice(0, maxLength),
    path: ctx.url.split(/[?#]/, 1)[0]?.slice(0, maxLength),
    status: ctx.status,
    ...withoutUndefined({ organizationId: identity?.organizationId, keyId: identity?.keyId }),
    ...logContext,
    ...(ctx.req.destroyed && !ctx.req.complete && { aborted: true }),
  };
}
