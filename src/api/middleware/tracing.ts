import type { Traces } from '../../contract/traces.ts';
import type { ApiContext, ApiMiddleware } from '../context.ts';

/** A target may still be malformed here, so it is not parsed. */
const tracedTarget = /^\/(api\/v1|mcp)([/?]|$)/;

/**
 * Begins a trace for each request to the API. The span is named after the pattern of its route,
 * because a path may contain a customer's text. A client can't continue its own trace:
 * `traceparent` is not read, so only the operator decides what is recorded.
 * @param isApi whether the request is for the API's own host
 */
export function tracing(traces: Traces, isApi: (ctx: ApiContext) => boolean): ApiMiddleware {
  return async function tracing(ctx, next) {
    if (!tracedTarget.test(ctx.url) || !isApi(ctx)) {
      await next();
      return;
    }
    const { method } = ctx;
    await traces.inSpan(method, { isRequest: true }, async () => {
      try {
        await next();
      } finally {
        const route = routeOf(ctx);
        const { taskId, batchId } = ctx.state.logContext;
        traces.annotate(
          {
            'http.request.method': method,
            'http.route': route,
            'http.response.status_code': ctx.status,
            'organization.id': ctx.state.identity?.organizationId,
            'task.id': taskId,
            'batch.id': batchId,
            'error.type': ctx.state.errorCode,
          },
          route && `${method} ${route}`,
        );
      }
    });
  };
}

/** The pattern of the route. undefined if none matches. */
function routeOf(ctx: ApiContext): string | undefined {
  const { _matchedRoute: route } = ctx as { _matchedRoute?: unknown };
  return typeof route === 'string' ? route : undefined;
}
