import type { Readable } from 'node:stream';
import { constants } from 'node:zlib';
import compress from 'koa-compress';
import type { ApiContext, ApiMiddleware } from '../context.ts';

/** Smaller responses fit into one packet anyway. */
const LEAST_BYTES = 1024;
/** Larger responses get gzip, because Brotli's memory grows with the response. */
const MOST_BROTLI_BYTES = 256 * 1024;
/**
 * Maximum number of compressors at the same time. Each takes up to 0.5 MB until its client has read
 * the response. Further responses are not compressed.
 */
const MOST_AT_ONCE = 200;

/** The encodings, with qualities that take little CPU time. libuv's threads compress. */
const encodings = {
  threshold: LEAST_BYTES,
  br: (_type: string, size: number) =>
    size <= MOST_BROTLI_BYTES && {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 4,
        [constants.BROTLI_PARAM_LGWIN]: 18,
        [constants.BROTLI_PARAM_SIZE_HINT]: size,
      },
    },
  gzip: { level: 4 },
  deflate: false,
  zstd: false,
} satisfies compress.CompressOptions;

/**
 * Compresses responses to GET if the client accepts it and the route allows it (`allowCompression`,
 * and the hosts of sites). It is off by default, because the length of a compressed response says
 * something about its texts. An attacker who can put a text next to a secret, and make a browser
 * request both again and again, could guess the secret (BREACH).
 */
export function compression(): ApiMiddleware {
  const compressAnswer = compress(encodings);
  let openCompressors = 0;
  return async function compression(ctx, next) {
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
    if (isRead) ctx.vary('Accept-Encoding');
    if (!isRead || ctx.get('Accept-Encoding') === '') {
      await next();
      return;
    }
    let wasEncoded = false;
    await compressAnswer(ctx, async () => {
      await next();
      wasEncoded = isEncoded(ctx);
      if (!isCompressible(ctx) || openCompressors >= MOST_AT_ONCE) ctx.compress = false;
    });
    if (isEncoded(ctx) && !wasEncoded) {
      openCompressors++;
      (ctx.body as Readable).once('close', () => openCompressors--);
      weakenTag(ctx);
    } else if (ctx.status === 304 && hasCompressed(ctx)) {
      weakenTag(ctx);
    }
  };
}

/**
 * Allows compression of the responses of the following routes to GET. These must not show secrets,
 * and no page of another origin may be able to make a browser request them with a person's rights.
 * The API accepts only keys, which browsers never send by themselves. It shows a secret only in the
 * response to the request that creates the secret, which is never a GET.
 */
export function allowCompression(): ApiMiddleware {
  return async function allowCompression(ctx, next) {
    ctx.state.mayCompress = true;
    await next();
  };
}

const isCompressible = (ctx: ApiContext) =>
  ctx.state.mayCompress === true && ctx.type !== 'text/event-stream';

const isEncoded = (ctx: ApiContext) => ctx.res.hasHeader('Content-Encoding');

/** Whether the client has cached the compressed form of this response. */
const hasCompressed = (ctx: ApiContext) => ctx.get('If-None-Match').includes(`W/${etagOf(ctx)}`);

const etagOf = (ctx: ApiContext) => String(ctx.res.getHeader('ETag') ?? '');

/**
 * Makes a strong ETag weak. A strong ETag names the bytes, which differ by encoding (RFC 9110,
 * section 8.8.3). So no client combines a range of the file with a compressed part of it.
 */
function weakenTag(ctx: ApiContext): void {
  const entityTag = etagOf(ctx);
  if (entityTag.startsWith('"')) ctx.set('ETag', `W/${entityTag}`);
}
