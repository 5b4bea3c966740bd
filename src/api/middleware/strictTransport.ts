import type { ApiMiddleware } from '../context.ts';

/** A year. */
const SECONDS = 365 * 24 * 3600;

/**
 * Where clients use https, browsers never ask this host without it (RFC 6797). Other names of its domain may be others'
 * services. Browsers leave the field alone where they came over http, so a proxy that ends TLS needs no word.
 */
export function strictTransport(publicUrl: () => URL): ApiMiddleware {
  return async function strictTransport(ctx, next) {
    if (publicUrl().protocol === 'https:') ctx.set('Strict-Transport-Security', `max-age=${SECONDS}`);
    await next();
  };
}
