import { readFile } from 'node:fs/promises';
import { type BundledAsset, createAsset, bundleText } from '../../bundle/bundle.ts';
import { loadOnce, ownFilesPolicy, sendAsset } from '../assets.ts';
import { type ApiContext, type ApiRouter, pathParameter } from '../context.ts';
import { documentNames, pictureFile } from '../reference/documents.ts';
import { createRouter } from '../router.ts';

const pageFile = (name: string) => new URL(`../reference/${name}`, import.meta.url);

/** The files of the reference page, by path. No others are served. */
const filesByPath: Record<string, { type: string; url: URL }> = {
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
};

/**
 * `GET /docs`: the API reference, which Swagger UI makes from the OpenAPI document.
 * `GET /docs/NAME`: a document of the repository as a page. Neither needs a key.
 */
export function referenceRoutes(): ApiRouter {
  const router = createRouter();
  for (const [path, { type, url }] of Object.entries(filesByPath)) {
    const asset = loadOnce(() => loadFile(url));
    router.get(path, async (ctx) => sendFile(ctx, { ...(await asset()), type }));
  }
  const documents = new Map(
    documentNames.map((name) => [name, loadOnce(() => loadDocument(name))]),
  );
  router.get('/docs/:name', async (ctx) => {
    const asset = documents.get(pathParameter(ctx, 'name'));
    if (asset) sendFile(ctx, await asset());
  });
  const pictures = new Map<string, () => Promise<BundledAsset>>();
  router.get('/docs/images/:name', async (ctx) => {
    const name = pathParameter(ctx, 'name');
    const file = pictureFile(name);
    if (!file) return;
    const asset = pictures.get(name) ?? loadOnce(() => loadFile(file));
    pictures.set(name, asset);
    sendFile(ctx, await asset());
  });
  return router;
}

function sendFile(ctx: ApiContext, asset: BundledAsset): void {
  ctx.set('Content-Security-Policy', ownFilesPolicy());
  sendAsset(ctx, asset, 'no-cache');
}

/** Loads the module that renders Markdown at the first request for a document. */
async function loadDocument(name: string): Promise<BundledAsset> {
  const { renderDocument } = await import('../reference/renderDocument.ts');
  return createAsset(`${name}.html`, Buffer.from(await renderDocument(name)));
}

async function loadFile(url: URL): Promise<BundledAsset> {
  const isScript = url.pathname.endsWith('.ts');
  return createAsset(
    url.pathname,
    isScript ? Buffer.from(await bundleText(url)) : await readFile(url),
  );
}
