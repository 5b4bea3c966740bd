import { clientAddress as addressOf, type Proxies } from '../../proxies.ts';
import type { ApiMiddleware } from '../context.ts';

/**
 * Sets `ctx.ip` to the client's address, for limits, the audit and sessions.
 * @param proxies the proxies whose `X-Forwarded-For` is trusted
 */
export function clientAddress(proxies: Proxies): ApiMiddleware {
  return async function clientAddress(ctx, next) {
    ctx.request.ip = addressOf(ctx.req, proxies);
    await next();
  };
}
