import type { ApiMiddleware } from '../context.ts';

/** A year. */
const SECONDS = 365 * 24 * 3600;

/**
 * Where clients use https, browsers never ask this host without it (RFC 6797). Other hosts of its
 * domain may be others' services: they are not included. Browsers ignore the field in answers over
 * plain http (section 8.1), so it needs no word of a proxy that ends TLS.
 */
export function strictTransport(publicUrl: () => URL): ApiMiddleware {
  return async function strictTransport(ctx, next) {
    if (publicUrl().protocol === 'https:')
      ctx.set('Strict-Transport-Security', `max-age=${SECONDS}`);
    await next();
  };
}
