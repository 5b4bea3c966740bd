import type { ApiMiddleware } from '../context.ts';

/** Answers of the API are one client's, of this moment, and JSON only. */
export function apiHeaders(): ApiMiddleware {
  return async function apiHeaders(ctx, next) {
    if (/^\/(api|auth|account)(\/|$)/.test(ctx.path))
      ctx.set({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' });
    await next();
  };
}
