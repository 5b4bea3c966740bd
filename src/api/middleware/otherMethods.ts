import type { ApiContext, ApiMiddleware } from '../context.ts';

/**
 * Stands after routes, and answers the methods that a path of theirs does not have: OPTIONS with `Allow`, every other
 * one with 405 (RFC 9110, sections 9.3.7 and 15.5.6). Needs no key.
 */
export function otherMethods(): ApiMiddleware {
  return async function otherMethods(ctx, next) {
    const methods = methodsOf(ctx);
    if (methods.length === 0) {
      await next();
      return;
    }
    ctx.set('Allow', methods.join(', '));
    ctx.status = ctx.method === 'OPTIONS' ? 200 : 405;
    if (ctx.method === 'OPTIONS') ctx.body = '';
  };
}

/** The methods of this path. The router keeps in `matched` all routes of a path, whatever their method. */
function methodsOf(ctx: ApiContext): string[] {
  const { matched = [] } = ctx as { matched?: { methods: string[] }[] };
  return [...new Set(matched.flatMap(({ methods }) => methods))];
}
