import { koaBody } from 'koa-body';
import { limits } from '../../contract/task.ts';
import { invalidJsonError } from '../../errors.ts';
import type { ApiContext, ApiMiddleware } from '../context.ts';
import { parseJson } from '../../sites/files/parseJson.ts';

const OF_JSON = ['application/json'];

/** Characters of an unknown charset that a refusal repeats. */
const LONGEST_CHARSET = 40;

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
  const readBytes = bodyReader({ types: OF_JSON, maxBytes });
  return async function jsonBody(ctx, next) {
    if (optional && !hasBody(ctx)) {
      ctx.state.body = {};
      await next();
      return;
    }
    const bytes = await readBytes(ctx);
    try {
      ctx.state.body = parseJson(bytes);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      throw invalidJsonError(error.message);
    }
    await next();
  };
}

/**
 * Makes a function that reads a body. It answers 415 for another media type or charset and for any
 * compression, 413 as soon as more than `maxBytes` have arrived, and checks the key again.
 */
export function bodyReader({ types, maxBytes }: { types: string[]; maxBytes: number }) {
  // 'binary' keeps each byte as one character: decoding as UTF-8 here would hide invalid bytes
  // behind U+FFFD.
  const parseBody = koaBody({
    json: false,
    urlencoded: false,
    textTypes: types,
    textLimit: maxBytes,
    encoding: 'binary',
  });
  return async (ctx: ApiContext): Promise<Buffer> => {
    checkMediaType(ctx, types);
    await readBody(ctx, maxBytes, async () => void (await parseBody(ctx, () => Promise.resolve())));
    await ctx.state.recheck?.();
    return Buffer.from((ctx.request.body as string | undefined) ?? '', 'binary');
  };
}

export const bodyTooLarge = (maxBytes: number) =>
  `The request body must not be larger than ${maxBytes} bytes`;

/**
 * Makes a function that yields a body part by part, with the checks of `bodyReader`. The client has
 * to wait while the caller works on a part. The key is checked again at the end.
 */
export function bodyParts({ types, maxBytes }: { types: string[]; maxBytes: number }) {
  return async function* bodyParts(ctx: ApiContext): AsyncGenerator<Buffer> {
    checkMediaType(ctx, types);
    const refuseTooLong = () => ctx.throw(413, bodyTooLarge(maxBytes));
    if (Number(ctx.get('Content-Length')) > maxBytes) refuseTooLong();
    // a caller that stops early still needs the connection for the response
    const bodyChunks = ctx.req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
    let receivedBytes = 0;
    try {
      for await (const bodyChunk of bodyChunks) {
        receivedBytes += bodyChunk.length;
        if (receivedBytes > maxBytes) refuseTooLong();
        yield bodyChunk;
      }
    } catch (error) {
      if (ctx.req.destroyed && !ctx.req.complete)
        ctx.throw(400, 'The request body ended before its Content-Length');
      throw error;
    }
    await ctx.state.recheck?.();
  };
}

/** RFC 9112, section 6.3: a request without either header field has no body. */
const hasBody = ({ req: { headers } }: ApiContext) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

function checkMediaType(ctx: ApiContext, types: string[]): void {
  const { type, charset } = ctx.request;
  if (!types.includes(type.toLowerCase()))
    ctx.throw(415, `Content-Type must be ${types.join(' or ')}`);
  if (charset !== '' && !isUtf8(charset)) {
    const shownCharset = charset.slice(0, LONGEST_CHARSET);
    ctx.throw(415, `Content-Type must be ${types.join(' or ')} in UTF-8, not in ${shownCharset}`);
  }
  // a few compressed bytes could expand to gigabytes
  if (!/^(identity)?$/i.test(ctx.get('Content-Encoding')))
    ctx.throw(415, 'Content-Encoding must not be used', {
      headers: { 'Accept-Encoding': 'identity' },
    });
}

/** Whether a charset is one of the names of UTF-8 (Encoding standard, section 4.2), or `utf_8`. */
function isUtf8(charset: string): boolean {
  try {
    return new TextDecoder(charset.replaceAll('_', '-')).encoding === 'utf-8';
  } catch {
    return false;
  }
}

async function readBody(
  ctx: ApiContext,
  maxBytes: number,
  readRequest: () => Promise<void>,
): Promise<void> {
  try {
    await readRequest();
  } catch (error) {
    const status = (error as { status?: number }).status;
    if (status === 413) ctx.throw(413, bodyTooLarge(maxBytes));
    if (status === 400) ctx.throw(400, 'The request body ended before its Content-Length');
    throw error;
  }
}
