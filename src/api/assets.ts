import { type BundledAsset, type BundledPage, assetEncodings } from '../bundle/bundle.ts';
import { type ApiContext, pathParameter } from './context.ts';

const YEAR_SECONDS = 31_536_000;

/**
 * Handlers for a bundled page (`page`) and for its files (`file`, by the path's parameter).
 * @param buildPage bundles the page. Called at the first request, and again only after a failure.
 */
export function bundledPage(buildPage: () => Promise<BundledPage>) {
  const builtPage = loadOnce(buildPage);
  return {
    async page(this: void, ctx: ApiContext): Promise<void> {
      sendAsset(ctx, (await builtPage()).page, 'no-cache');
    },
    /** A file's name contains the hash of its content, so browsers may cache it for ever. */
    async file(this: void, ctx: ApiContext): Promise<void> {
      const file = (await builtPage()).assets.get(pathParameter(ctx, 'file'));
      if (file) sendAsset(ctx, file, `public, max-age=${YEAR_SECONDS}, immutable`);
    },
  };
}

/** Sends a file in the smallest encoding that the client accepts. */
export function sendAsset(
  ctx: ApiContext,
  { type, etag, bytes }: BundledAsset,
  cacheControl: string,
): void {
  const encoding =
    assetEncodings.find((candidate) => ctx.acceptsEncodings(candidate) === candidate) ?? 'identity';
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

/** Calls `load` at the first use, and keeps its result. Calls it again only after a failure. */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () =>
    (loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    }));
}

/** The content security policy of a page: it loads only files of this host, and is never framed. */
export const ownFilesPolicy = (...moreDirectives: string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    ...moreDirectives,
  ].join('; ');

/** Directives for the policy: the page can't turn a text into a script or into HTML. */
export const trustedTypes = ["require-trusted-types-for 'script'", "trusted-types 'none'"];
