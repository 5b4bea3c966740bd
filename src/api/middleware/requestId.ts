import { randomUUID } from 'node:crypto';
import type { ApiMiddleware } from '../context.ts';

const sane = /^[A-Za-z0-9._-]{1,128}$/;

/**
 * Names the request: by the client's `X-Request-Id` if that is 1 to 128 of [A-Za-z0-9._-],
 * otherwise by a new UUID. Every answer carries the name.
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
