import { randomUUID } from 'node:crypto';
import type { ApiMiddleware } from '../context.ts';

const sane = /^[A-Za-z0-9._-]{1,128}$/;

/**
 * Sets the request's id: the client's `X-Request-Id` if it is 1 to 128 of [A-Za-z0-9._-], otherwise
 * a new UUID. Every answer carries it.
 */
export function requestId(): ApiMiddleware {
  return async function requestId(ctx, next) {
    const given = ctx.get('X-Request-Id');
    ctx.state.requestId = sane.test(given) ? given : randomUUID();
    ctx.state.subject = {};
    ctx.set('X-Request-Id', ctx.state.requestId);
    await next();
  };
}
