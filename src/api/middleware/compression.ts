import type { Readable } from 'node:stream';
import { constants } from 'node:zlib';
import compress from 'koa-compress';
import type { ApiContext, ApiMiddleware } from '../context.ts';

/** Smaller answers fit into one packet anyway. */
const LEAST_BYTES = 1024;
/** Larger answers get gzip: Brotli's memory grows with the answer. */
const MOST_BROTLI_BYTES = 256 * 1024;
/**
 * Compressors at the same time. Each takes up to 0.5 MB until its client has read the answer.
 * Further answers are sent as they are.
 */
const MOST_AT_ONCE = 200;

/** Qualities that take little CPU time, in the threads of libuv. */
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
 * Compresses answers to GET if the client accepts it, and if the route allows it
 * (`allowCompression`, and the hosts of sites). All others are sent as they are: the length of a
 * compressed answer tells of its texts. Who can put a text next to a secret, and make a browser ask
 * for both again and again, could guess the secret (BREACH).
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
 * Allows compression of what the following routes answer to GET. They must not show secrets, and no
 * page of another origin may be able to make a browser ask for them with a person's rights. The API
 * takes keys only, which browsers never send by themselves. It shows a secret only in the answer
 * that makes it, which is never an answer to GET.
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

/** Whether a client has the compressed form of an answer that is the same still. */
const hasCompressed = (ctx: ApiContext) => ctx.get('If-None-Match').includes(`W/${etagOf(ctx)}`);

const etagOf = (ctx: ApiContext) => String(ctx.res.getHeader('ETag') ?? '');

/**
 * Makes the tag of a file one of its content: a strong one is of its bytes, which differ by
 * encoding (RFC 9110, section 8.8.3). So no part of the file is added to a compressed one.
 */
function weakenTag(ctx: ApiContext): void {
  const entityTag = etagOf(ctx);
  if (entityTag.startsWith('"')) ctx.set('ETag', `W/${entityTag}`);
}
