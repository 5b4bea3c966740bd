import { bundledPage, ownFilesPolicy, trustedTypes } from '../assets.ts';
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
    const policy = ownFilesPolicy(`frame-src ${frameSources().join(' ')}`, ...trustedTypes);
    ctx.set({
      'Content-Security-Policy': policy,
      'Cross-Origin-Opener-Policy': 'same-origin',
      'X-Robots-Tag': 'noindex',
    });
    await page(ctx);
  });
  router.get('/console/:file', file);
  return router;
}
