import { koaBody } from 'koa-body';
import { limits } from '../../contract/task.ts';
import { DomainError } from '../../errors.ts';
import type { ApiContext, ApiMiddleware } from '../context.ts';
import { parseJson } from '../json.ts';

/**
 * Reads a JSON body into `ctx.state.body`. Answers 415 for another media type or charset, and for
 * any compression (a few bytes could expand to gigabytes). Answers 413 as soon as more than
 * `maxBytes` have arrived, and 400 for invalid JSON.
 * @param options.maxBytes default `limits.bodyBytes`
 * @param options.optional whether a missing body means `{}`
 */
export function jsonBody({
  optional = false,
  maxBytes = limits.bodyBytes,
}: { optional?: boolean; maxBytes?: number } = {}): ApiMiddleware {
  // 'binary' keeps each byte as one character: decoding as UTF-8 here would hide invalid bytes
  // behind U+FFFD.
  const read = koaBody({
    json: false,
    urlencoded: false,
    textTypes: ['application/json'],
    textLimit: maxBytes,
    encoding: 'binary',
  });
  return async function jsonBody(ctx, next) {
    if (optional && !hasBody(ctx)) {
      ctx.state.body = {};
      await next();
      return;
    }
    checkMediaType(ctx);
    await readBody(ctx, maxBytes, async () => void (await read(ctx, () => Promise.resolve())));
    await ctx.state.recheck?.();
    const bytes = Buffer.from((ctx.request.body as string | undefined) ?? '', 'binary');
    try {
      ctx.state.body = parseJson(bytes);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      throw new DomainError('INVALID_INPUT', `Request body is not valid JSON: ${error.message}`);
    }
    await next();
  };
}

/** RFC 9112, section 6.3: a request without either header field has no body. */
const hasBody = ({ req: { headers } }: ApiContext) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

function checkMediaType(ctx: ApiContext): void {
  const { type, charset } = ctx.request;
  if (type.toLowerCase() !== 'application/json' || !/^(utf-?8)?$/i.test(charset))
    ctx.throw(415, 'Content-Type must be application/json');
  // a few compressed bytes could expand to gigabytes
  if (!/^(identity)?$/i.test(ctx.get('Content-Encoding')))
    ctx.throw(415, 'Content-Encoding must not be used', {
      headers: { 'Accept-Encoding': 'identity' },
    });
}

async function readBody(
  ctx: ApiContext,
  maxBytes: number,
  read: () => Promise<void>,
): Promise<void> {
  try {
    await read();
  } catch (error) {
    const status = (error as { status?: number }).status;
    if (status === 413) ctx.throw(413, `Request body must not be over ${maxBytes} bytes`);
    if (status === 400) ctx.throw(400, 'Request body ended early');
    throw error;
  }
}
