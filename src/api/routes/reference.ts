import { readFile } from 'node:fs/promises';
import { type BundledAsset, createAsset, bundleText } from '../../bundle/bundle.ts';
import { loadOnce, ownFilesPolicy, sendAsset } from '../assets.ts';
import type { ApiRouter } from '../context.ts';
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
  '/docs/README.md': {
    type: 'text/plain; charset=utf-8',
    url: new URL('../../../README.md', import.meta.url),
  },
  // error messages of refused prompts link to it
  '/docs/prompts.md': {
    type: 'text/plain; charset=utf-8',
    url: new URL('../../../docs/prompts.md', import.meta.url),
  },
};

/** `GET /docs`: the API reference, which Swagger UI makes from the OpenAPI document. No key. */
export function referenceRoutes(): ApiRouter {
  const router = createRouter();
  for (const [path, { type, url }] of Object.entries(filesByPath)) {
    const loadFile = loadOnce(() => loadAsset(url));
    router.get(path, async (ctx) => {
      ctx.set('Content-Security-Policy', ownFilesPolicy());
      sendAsset(ctx, { ...(await loadFile()), type }, 'no-cache');
    });
  }
  return router;
}

async function loadAsset(url: URL): Promise<BundledAsset> {
  const isScript = url.pathname.endsWith('.ts');
  return createAsset(
    url.pathname,
    isScript ? Buffer.from(await bundleText(url)) : await readFile(url),
  );
}
