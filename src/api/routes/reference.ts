import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { bundleText } from '../../bundle/bundle.ts';
import { atFirstCall } from '../assets.ts';
import type { ApiContext, ApiRouter } from '../context.ts';
import { createRouter } from '../router.ts';

interface File {
  bytes: Buffer;
  gzipped: Buffer;
  etag: string;
}

const pageFile = (name: string) => new URL(`../reference/${name}`, import.meta.url);

/** The files of the reference page, by path. No others are served. */
const files: Record<string, { type: string; url: URL }> = {
  '/docs': { type: 'html', url: pageFile('page.html') },
  '/docs/page.css': { type: 'css', url: pageFile('page.css') },
  '/docs/page.js': { type: 'js', url: pageFile('page.ts') },
  '/docs/swagger-ui.css': {
    type: 'css',
    url: new URL(import.meta.resolve('swagger-ui-dist/swagger-ui.css')),
  },
  '/docs/swagger-ui-bundle.js': {
    type: 'js',
    url: new URL(import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js')),
  },
  '/docs/README.md': {
    type: 'text/plain; charset=utf-8',
    url: new URL('../../../README.md', import.meta.url),
  },
  // error messages of refused prompts link to it
  '/docs/prompts.md': {
    type: 'text/plain; charset=utf-8',
    url: new URL('../../../docs/prompts.md', import.meta.url),
  },
};

/** Only files of this host. Swagger UI's style sheet contains its icons as `data:` images. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** `GET /docs`: the API's reference, made by Swagger UI from the OpenAPI document. Needs no key. */
export function referenceRoutes(): ApiRouter {
  const router = createRouter();
  for (const [path, { type, url }] of Object.entries(files)) {
    const file = atFirstCall(() => load(url));
    router.get(path, async (ctx) => send(ctx, type, await file()));
  }
  return router;
}

async function load(url: URL): Promise<File> {
  const bytes = url.pathname.endsWith('.ts')
    ? Buffer.from(await bundleText(url))
    : await readFile(url);
  const etag = createHash('sha256').update(bytes).digest('base64url');
  return { bytes, gzipped: await promisify(gzip)(bytes), etag };
}

function send(ctx: ApiContext, type: string, { bytes, gzipped, etag }: File): void {
  const isGzipped = ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
  ctx.set({
    'Content-Security-Policy': contentSecurityPolicy,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-cache',
    Vary: 'Accept-Encoding',
    ETag: `"${etag}${isGzipped ? '-gzip' : ''}"`,
    ...(isGzipped && { 'Content-Encoding': 'gzip' }),
  });
  ctx.type = type;
  ctx.status = 200;
  if (ctx.fresh) ctx.status = 304;
  else ctx.body = isGzipped ? gzipped : bytes;
}
