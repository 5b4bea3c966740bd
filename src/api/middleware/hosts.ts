import { isIP } from 'node:net';
import type { ApiContext, ApiMiddleware } from '../context.ts';

const loopbackPattern = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;
const targetPattern = /^(\/|https?:\/\/[\w.-]+(:\d{1,5})?(\/|$)|\*$)/i;

/**
 * Refuses a request target without a valid path, and a request without exactly one `Host` (RFC
 * 9112, section 3.2).
 */
export function wellFormedRequest(): ApiMiddleware {
  return async function wellFormedRequest(ctx, next) {
    if (!targetPattern.test(ctx.url)) ctx.throw(400, 'Malformed request target');
    const hosts = ctx.req.headersDistinct['host'] ?? [];
    const isHttp10 = ctx.req.httpVersion === '1.0';
    if (hosts.length > 1 || (hosts.length === 0 && !isHttp10))
      ctx.throw(400, 'Exactly one Host header is required');
    await next();
  };
}

/**
 * Accepts only requests for the API's own host, i.e. the host of PUBLIC_URL or a loopback name.
 * Others get 421, which prevents DNS rebinding.
 * @param ownHost the host name of PUBLIC_URL
 */
export function apiHosts(ownHost: string): ApiMiddleware {
  const isOwnHost = createHostTest(ownHost);
  return async function apiHosts(ctx, next) {
    if (!isOwnHost(ctx)) ctx.throw(421, 'Misdirected Request');
    await next();
  };
}

/**
 * Whether a request may be a health check: it is for the API's own host, or for an IP address,
 * because probes often know no host name.
 */
export function healthHosts(ownHost: string): (ctx: ApiContext) => boolean {
  const isOwnHost = createHostTest(ownHost);
  return (ctx) => isOwnHost(ctx) || isIP(ctx.hostname.replace(/^\[|\]$/g, '')) !== 0;
}

/** Whether a request is for the API's own host. */
export function createHostTest(ownHost: string): (ctx: ApiContext) => boolean {
  return (ctx) => {
    const hostName = ctx.hostname.toLowerCase().replace(/\.$/, '');
    return hostName === ownHost || loopbackPattern.test(hostName);
  };
}
