import { createHash } from 'node:crypto';
import type { ApiContext, ApiMiddleware } from '../context.ts';

/**
 * Paths that programs request: the API, and the editor's own requests, whose paths contain `/.`.
 */
const programPaths = /^\/api([/?]|$)|\/\./;

const style = `
:root {
  color-scheme: light dark;
  color: light-dark(#1b1d26, #eceef4);
  background: light-dark(#ffffff, #14161c);
  font: 16px/1.5 system-ui, sans-serif;
}
body { max-width: 34rem; margin: 18vh auto 0; padding: 0 1.25rem }
h1 { font-size: 1.6rem; line-height: 1.2 }
.small { color: light-dark(#5a5f70, #a3a9ba); font-size: .85rem }
a { color: light-dark(#3b54d6, #9db0ff) }
`;

const headers = {
  'Content-Security-Policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex',
};

/**
 * Must come before `errors`. Turns an error outside of the API into an HTML page if a browser
 * navigated to it. Programs get JSON everywhere. Responses that already are pages do not change.
 */
export function errorPages(): ApiMiddleware {
  return async function errorPages(ctx, next) {
    await next();
    if (ctx.headerSent || ctx.status < 400 || ctx.status === 421 || programPaths.test(ctx.url))
      return;
    if (!isErrorBody(ctx.body) || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return;
    ctx.vary('Accept');
    if (ctx.accepts('json', 'html') !== 'html') return;
    const { status } = ctx;
    ctx.set(headers);
    ctx.type = 'text/html; charset=utf-8';
    ctx.body = errorPage(ctx);
    ctx.status = status;
  };
}

const isErrorBody = (body: unknown) =>
  typeof (body as { error?: unknown } | null)?.error === 'string';

const errorWords: Record<number, [title: string, text: string]> = {
  401: ['Sign in first', 'This page is for people who have signed in, or who have a link to it.'],
  403: ['No access', 'You do not have access to this page. Ask a colleague who has.'],
  404: [
    'Page not found',
    'There is no page at this address. Check its spelling, or start from the console.',
  ],
  429: [
    'Too many requests',
    'You have sent too many requests. Wait a minute, and load the page again.',
  ],
};
const wrongRequest = [
  'Invalid request',
  'The service cannot answer a request for this address. Check its spelling.',
] as const;
const serviceFault = [
  'Something went wrong',
  'The service had an error. Load the page again in a moment. If it fails again, give the operator the request id below.',
] as const;

/** The HTML page of an error. Of the request, it contains only the checked request id. */
function errorPage({ status, state: { requestId } }: ApiContext): string {
  const [title, text] = errorWords[status] ?? (status < 500 ? wrongRequest : serviceFault);
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title}</title>
    <link rel="icon" href="data:," />
    <style>${style}</style>
  </head>
  <body>
    <main>
      <h1>${title}</h1>
      <p>${text}</p>
      <p><a href="/">Console</a> · <a href="/docs">API reference</a></p>
      <p class="small">Status ${status}. Request ${requestId}</p>
    </main>
  </body>
</html>
`;
}
