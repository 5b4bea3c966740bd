import type { ApiMiddleware } from '../context.ts';
import { ownPath } from '../ownPath.ts';

/**
 * Rewrites each `Location` field as a path of this service, and throws if it leads to another host.
 * The service never redirects to other hosts: the console gets the OIDC provider's URL in a body.
 */
export function ownLocations(publicUrl: () => URL): ApiMiddleware {
  return async function ownLocations(ctx, next) {
    await next();
    if (!ctx.res.hasHeader('Location')) return;
    const location = ctx.response.get('Location');
    ctx.remove('Location');
    const path = ownPath(location, publicUrl());
    if (path === null)
      throw new Error(`The response to ${ctx.method} ${ctx.path} redirects to another host`);
    ctx.set('Location', path);
  };
}
