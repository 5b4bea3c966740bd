import type { ApiContext, ApiMiddleware } from '../context.ts';

/**
 * Stands after routes. A request that comes here for a path of theirs has a method that the path does not have: OPTIONS is
 * answered with `Allow`, every other method with 405 (RFC 9110, sections 9.3.7 and 15.5.6). The key is not looked at.
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

/** What the routes of this path answer: the router keeps in `matched` the routes of a path, whatever their method. */
function methodsOf(ctx: ApiContext): string[] {
  const { matched = [] } = ctx as { matched?: { methods: string[] }[] };
  return [...new Set(matched.flatMap(({ methods }) => methods))];
}
