import type { ApiMiddleware } from '../context.ts';

/** Header fields of API answers: no caching, and JSON only. */
export function apiHeaders(): ApiMiddleware {
  return async function apiHeaders(ctx, next) {
    if (/^\/(api|auth|account|mcp)(\/|$)/.test(ctx.path))
      ctx.set({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' });
    await next();
  };
}
