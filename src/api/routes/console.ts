import { bundledPage, ownFilesPolicy, trustedTypes } from '../assets.ts';
import type { ApiRouter } from '../context.ts';
import type { SomeApiDeps } from '../apiDeps.ts';
import { createRouter } from '../router.ts';

type ConsoleRouteDeps = SomeApiDeps<'buildConsole' | 'frameSources'>;

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
export function consoleRoutes({ buildConsole, frameSources }: ConsoleRouteDeps): ApiRouter {
  const router = createRouter();
  const { page: sendPage, file: sendFile } = bundledPage(buildConsole);
  router.get(screens, async (ctx) => {
    const securityPolicy = ownFilesPolicy(
      `frame-src ${["'self'", ...frameSources()].join(' ')}`,
      ...trustedTypes,
    );
    ctx.set({
      'Content-Security-Policy': securityPolicy,
      'Cross-Origin-Opener-Policy': 'same-origin',
      'X-Robots-Tag': 'noindex',
    });
    await sendPage(ctx);
  });
  router.get('/console/:file', sendFile);
  return router;
}
