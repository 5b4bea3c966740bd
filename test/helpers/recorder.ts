import { Stream } from 'node:stream';
import type { ApiContext, ApiMiddleware } from '../../src/api/context.ts';
import { problemsOf } from './openapi.ts';

export interface Recorder {
  middleware: ApiMiddleware;
  /** Throws where an answer since the last call was not as the OpenAPI document says. */
  check(): void;
}

/**
 * Compares all answers but those of sites, the editor and assistants with the OpenAPI document. Its
 * middleware goes first.
 */
export function createRecorder(): Recorder {
  const problems: string[] = [];
  return {
    async middleware(ctx, next) {
      await next();
      const isOurs =
        !/\.(sites|preview)\.localhost(:\d+)?$/.test(ctx.get('Host')) &&
        !/^\/(edit\/|mcp\/?$)/.test(ctx.url);
      const isHeard = !ctx.res.closed;
      if (isOurs && isHeard) problems.push(...problemsIn(ctx));
    },
    check() {
      const found = problems.splice(0);
      if (found.length > 0)
        throw new Error(`Not as the OpenAPI document says:\n${found.join('\n')}`);
    },
  };
}

/** An error of the comparison itself must not become the service's answer. */
function problemsIn(ctx: ApiContext): string[] {
  try {
    return problemsOf(exchangeOf(ctx));
  } catch (error) {
    return [String(error)];
  }
}

function exchangeOf(ctx: ApiContext) {
  const { body } = ctx as { body: unknown };
  const [path = '', query] = ctx.url.replace(/^https?:\/\/[^/]*/i, '').split('?', 2);
  const sent = ctx.request.body as string | undefined;
  return {
    method: ctx.method,
    path,
    query: [...new URLSearchParams(query).keys()],
    status: ctx.status,
    headers: Object.fromEntries(
      Object.entries(ctx.response.headers).map(([name, value]) => [name, String(value)]),
    ),
    ...(typeof sent === 'string' &&
      ctx.is('json') && { sent: Buffer.from(sent, 'binary').toString() }),
    ...(body != null && !(body instanceof Stream) && { body: textOf(body) }),
  };
}

function textOf(body: unknown): string {
  if (typeof body === 'string') return body;
  return Buffer.isBuffer(body) ? body.toString() : JSON.stringify(body);
}
