import type { ApiMiddleware } from '../context.ts';

/** Answers of the API are one client's, of this moment, and JSON only. */
export function apiHeaders(): ApiMiddleware {
  return async function apiHeaders(ctx, next) {
    if (ctx.path.startsWith('/api')) ctx.set({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' });
    await next();
  };
}
