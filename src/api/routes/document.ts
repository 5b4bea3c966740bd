import { createHash } from 'node:crypto';
import type { ApiRouter } from '../context.ts';
import type { SomeApiDeps } from '../apiDeps.ts';
import { createRouter } from '../router.ts';

/** Seconds for which clients may cache the document. It changes only with the version. */
const MAX_AGE_SECONDS = 300;

type DocumentRouteDeps = SomeApiDeps<'publicUrl' | 'retentionDays'>;

/** `GET /openapi.json`: the OpenAPI document (openapi.ts). Needs no key. */
export function documentRoutes({ publicUrl, retentionDays }: DocumentRouteDeps): ApiRouter {
  const router = createRouter();
  let document: TaggedDocument | undefined;
  router.get('/openapi.json', async (ctx) => {
    // loaded at the first request, because its modules take 0.1 s to load
    const { openapiDocument } = await import('../openapi.ts');
    document ??= tagDocument(openapiDocument({ publicUrl: publicUrl().href, retentionDays }));
    const { text, etag } = document;
    ctx.set({ 'Cache-Control': `public, max-age=${MAX_AGE_SECONDS}`, ETag: etag });
    ctx.status = 200;
    if (ctx.fresh) {
      ctx.status = 304;
      return;
    }
    ctx.type = 'json';
    ctx.body = text;
  });
  return router;
}

interface TaggedDocument {
  text: string;
  etag: string;
}

function tagDocument(document: object): TaggedDocument {
  const documentJson = JSON.stringify(document);
  return {
    text: documentJson,
    etag: `"${createHash('sha256').update(documentJson).digest('base64url')}"`,
  };
}
