import Router from '@koa/router';
import { type Console, type ConsoleFile, encodings } from '../../bundle/bundle.ts';
import type { ApiContext, ApiRouter, ApiState } from '../context.ts';
import { pathParameter } from '../context.ts';

export interface ConsoleDeps {
  /** Bundles the console. Called once, at the first request, and again after a failure. */
  buildConsole: () => Promise<Console>;
  /** Origins of live sites and previews, as sources of a policy: `http://*.sites.localhost:3000`. */
  siteOrigins: () => string[];
}

/** The addresses of the console's screens. What is on them is decided in the browser. */
const screens = [
  '/',
  '/sign-in',
  '/sign-up',
  '/welcome',
  '/invitations/:id',
  '/sites{/*path}',
  '/tasks{/*path}',
  '/callbacks',
  '/settings{/*path}',
  '/shared/:id',
];

const YEAR_SECONDS = 31_536_000;

/** `GET` of every screen: one page, for everyone. Its scripts and styles are below `/console/`. */
export function consoleRoutes({ buildConsole, siteOrigins }: ConsoleDeps): ApiRouter {
  const router = new Router<ApiState>({ strict: true, sensitive: true });
  let building: Promise<Console> | undefined;
  const built = () => {
    building ??= buildConsole().catch((error: unknown) => {
      building = undefined;
      throw error;
    });
    return building;
  };
  router.get(screens, async (ctx) => {
    ctx.set(pageHeaders(siteOrigins()));
    send(ctx, (await built()).page, 'no-cache');
  });
  router.get('/console/:file', async (ctx) => {
    const file = (await built()).assets.get(pathParameter(ctx, 'file'));
    if (file) send(ctx, file, `public, max-age=${YEAR_SECONDS}, immutable`);
  });
  return router;
}

/** The page runs its own files only, talks to this host only, and shows no frames but of sites and previews. */
function pageHeaders(siteOrigins: string[]): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    `frame-src ${siteOrigins.join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ];
  return {
    'Content-Security-Policy': policy.join('; '),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'X-Robots-Tag': 'noindex',
  };
}

function send(ctx: ApiContext, { type, etag, bytes }: ConsoleFile, cacheControl: string): void {
  const encoding = encodings.find((each) => ctx.acceptsEncodings(each) === each) ?? 'identity';
  ctx.set({
    'Cache-Control': cacheControl,
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    Vary: 'Accept-Encoding',
    ETag: `"${etag}${encoding === 'identity' ? '' : `-${encoding}`}"`,
    ...(encoding !== 'identity' && { 'Content-Encoding': encoding }),
  });
  ctx.type = type;
  ctx.status = 200;
  if (ctx.fresh) ctx.status = 304;
  else ctx.body = bytes[encoding];
}
