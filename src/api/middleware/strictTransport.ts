import type { ApiMiddleware } from '../context.ts';

/** One year. */
const SECONDS = 365 * 24 * 3600;

/**
 * Makes browsers use https for this host if clients use https (RFC 6797). Subdomains are not
 * included, because they may be other services. Browsers ignore the field over plain http (section
 * 8.1), so it does not matter whether a proxy ends TLS.
 */
export function strictTransport(publicUrl: () => URL): ApiMiddleware {
  return async function strictTransport(ctx, next) {
    if (publicUrl().protocol === 'https:')
      ctx.set('Strict-Transport-Security', `max-age=${SECONDS}`);
    await next();
  };
}
