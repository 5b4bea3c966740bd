import type { ApiContext, ApiMiddleware, ApiRouter } from '../context.ts';

/**
 * Comes after the routes. Answers methods that a path does not support: OPTIONS with `Allow`,
 * others with 405 (RFC 9110, sections 9.3.7 and 15.5.6). Needs no key.
 */
export function otherMethods(): ApiMiddleware {
  return async function otherMethods(ctx, next) {
    const methods = allowedMethods(ctx);
    if (methods.length === 0) {
      await next();
      return;
    }
    answerMethods(ctx, methods);
  };
}

/**
 * Comes before the routes. If the paths of several routes match a request, only the methods of the
 * most literal path count: `GET /sites/check` gets 405, although `/sites/:siteId` has a GET.
 */
export function ownMethods({ stack }: ApiRouter): ApiMiddleware {
  const literalRoutes = findLiteralRoutes(stack);
  return async function ownMethods(ctx, next) {
    const route = literalRoutes.find(({ pattern }) => pattern.test(ctx.path));
    if (route === undefined || route.methods.has(ctx.method)) await next();
    else answerMethods(ctx, [...route.methods]);
  };
}

interface PathRoute {
  path: string;
  pattern: RegExp;
  methods: Set<string>;
}

/** The paths that also match the path of another route, which has a parameter in their place. */
function findLiteralRoutes(routes: { path: unknown; methods: string[] }[]): PathRoute[] {
  const plainRoutes = routes.filter(({ path }) => typeof path === 'string' && !path.includes('{'));
  const byPath = [...Map.groupBy(plainRoutes, ({ path }) => String(path))];
  const pathRoutes = byPath.map(([path, routesOfPath]) => ({
    path,
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}$`),
    methods: new Set(routesOfPath.flatMap(({ methods }) => methods)),
  }));
  return pathRoutes.filter(({ path }) =>
    pathRoutes.some((otherRoute) => otherRoute.path !== path && otherRoute.pattern.test(path)),
  );
}

function answerMethods(ctx: ApiContext, methods: string[]): void {
  ctx.set('Allow', methods.join(', '));
  ctx.status = ctx.method === 'OPTIONS' ? 200 : 405;
  if (ctx.method === 'OPTIONS') ctx.body = '';
}

/**
 * The methods of the request's path. The router's `matched` has all routes of the path, with any
 * method.
 */
function allowedMethods(ctx: ApiContext): string[] {
  const { matched = [] } = ctx as { matched?: { methods: string[] }[] };
  return [...new Set(matched.flatMap(({ methods }) => methods))];
}
