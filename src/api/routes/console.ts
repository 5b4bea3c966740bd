import { bundledPage } from '../assets.ts';
import type { ApiRouter } from '../context.ts';
import type { Needs } from '../parts.ts';
import { createRouter } from '../router.ts';

type Deps = Needs<'buildConsole' | 'frameSources'>;

/** Paths of the console's screens. The browser decides what each shows. */
const screens = [
  '/',
  '/sign-in',
  '/sign-up',
  '/welcome',
  '/connect',
  '/invitations/:id',
  '/sites{/*path}',
  '/tasks{/*path}',
  '/batches{/*path}',
  '/callbacks',
  '/settings{/*path}',
  '/shared/:id',
];

/**
 * `GET` of every screen sends the same public page. Its scripts and styles are below `/console/`.
 */
export function consoleRoutes({ buildConsole, frameSources }: Deps): ApiRouter {
  const router = createRouter();
  const { page, file } = bundledPage(buildConsole);
  router.get(screens, async (ctx) => {
    ctx.set(pageHeaders(frameSources()));
    await page(ctx);
  });
  router.get('/console/:file', file);
  return router;
}

/**
 * The page's content security policy: only its own files run, it connects only to this host, and it
 * frames only sites and previews.
 */
function pageHeaders(frameSources: string[]): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    `frame-src ${frameSources.join(' ')}`,
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
