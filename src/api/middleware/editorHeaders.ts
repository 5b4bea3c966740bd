import { ownFilesPolicy, trustedTypes } from '../assets.ts';
import type { ApiMiddleware } from '../context.ts';

const headers = {
  'Content-Security-Policy': ownFilesPolicy("frame-src 'self'", ...trustedTypes),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex',
  'Cache-Control': 'no-store',
};

/**
 * The content security policy of the editor: only its own files run, it shows only its own frames,
 * and no other site can frame it.
 */
export function editorHeaders(): ApiMiddleware {
  return async function editorHeaders(ctx, next) {
    if (ctx.path.startsWith('/edit/')) ctx.set(headers);
    await next();
  };
}
