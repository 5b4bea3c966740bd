import { randomUUID } from 'node:crypto';
import type { ApiMiddleware } from '../context.ts';

const sane = /^[A-Za-z0-9._-]{1,128}$/;

/** Names the request: the client's `X-Request-Id` when it is 1 to 128 of [A-Za-z0-9._-], else a new UUID. Every answer carries it. */
export function requestId(): ApiMiddleware {
  return async function requestId(ctx, next) {
    const given = ctx.get('X-Request-Id');
    ctx.state.requestId = sane.test(given) ? given : randomUUID();
    ctx.set('X-Request-Id', ctx.state.requestId);
    await next();
  };
}
