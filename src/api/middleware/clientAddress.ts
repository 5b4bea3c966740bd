import { clientAddress as addressOf, type Proxies } from '../../proxies.ts';
import type { ApiMiddleware } from '../context.ts';

/**
 * Says once, in `ctx.ip`, from which address a request came. Limits, the audit and sessions go by
 * that.
 * @param proxies nobody else's `X-Forwarded-For` counts
 */
export function clientAddress(proxies: Proxies): ApiMiddleware {
  return async function clientAddress(ctx, next) {
    ctx.request.ip = addressOf(ctx.req, proxies);
    await next();
  };
}
