import type { ApiMiddleware } from '../context.ts';

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const headers = {
  'Content-Security-Policy': policy,
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
