import type { ApiContext, ApiMiddleware, ApiRouter } from '../context.ts';

/**
 * Stands after the routes. Answers methods that a path does not have: OPTIONS with `Allow`, others
 * with 405 (RFC 9110, sections 9.3.7 and 15.5.6). Needs no key.
 */
export function otherMethods(): ApiMiddleware {
  return async function otherMethods(ctx, next) {
    const methods = methodsOf(ctx);
    if (methods.length === 0) {
      await next();
      return;
    }
    answer(ctx, methods);
  };
}

/**
 * Stands before the routes. A path that a route spells out has only the methods of such routes. So
 * `/sites/check` is not taken for a site by the routes of `/sites/:siteId`.
 */
export function ownMethods({ stack }: ApiRouter): ApiMiddleware {
  const own = methodsByPath(stack);
  return async function ownMethods(ctx, next) {
    const methods = own.get(ctx.path);
    if (methods === undefined || methods.has(ctx.method)) await next();
    else answer(ctx, [...methods]);
  };
}

function methodsByPath(routes: { path: unknown; methods: string[] }[]): Map<string, Set<string>> {
  const written = routes.flatMap(({ path, methods }) =>
    typeof path === 'string' && !path.includes(':') && !path.includes('{')
      ? methods.map((method) => ({ path, method }))
      : [],
  );
  const byPath = [...Map.groupBy(written, ({ path }) => path)];
  return new Map(byPath.map(([path, same]) => [path, new Set(same.map(({ method }) => method))]));
}

function answer(ctx: ApiContext, methods: string[]): void {
  ctx.set('Allow', methods.join(', '));
  ctx.status = ctx.method === 'OPTIONS' ? 200 : 405;
  if (ctx.method === 'OPTIONS') ctx.body = '';
}

/**
 * The methods of the request's path. The router's `matched` has all routes of the path, with any
 * method.
 */
function methodsOf(ctx: ApiContext): string[] {
  const { matched = [] } = ctx as { matched?: { methods: string[] }[] };
  return [...new Set(matched.flatMap(({ methods }) => methods))];
}
