import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { usualVariables, pickVariables } from '../childEnvironment.ts';

/** Encodings in which files are prepared, the smallest first. */
export const assetEncodings = ['br', 'gzip', 'identity'] as const;
export type AssetEncoding = (typeof assetEncodings)[number];

export interface BundledAsset {
  /** File extension, from which the media type follows, or the media type. */
  type: string;
  etag: string;
  bytes: Record<AssetEncoding, Buffer>;
}

export interface BundledPage {
  page: BundledAsset;
  /**
   * Files by name. A name contains its content's hash, so the content under a name never changes.
   */
  assets: Map<string, BundledAsset>;
}

/**
 * A request to bundleThread.ts: the paths of source files by entry name, and the output format
 * (modules or a classic script).
 */
export interface BundleRequest {
  entries: Record<string, string>;
  format: 'esm' | 'iife';
}

/** The answer of bundleThread.ts: the bundled files, and the imports of each. */
interface BundleOutput {
  files: { path: string; contents: Uint8Array }[];
  outputs: Record<string, { imports: { path: string; kind: string }[] }>;
}

async function runBundler(
  entries: Record<string, URL>,
  format: BundleRequest['format'],
): Promise<BundleOutput> {
  const entryPaths = Object.entries(entries).map(([name, url]) => [name, fileURLToPath(url)]);
  const workerData: BundleRequest = {
    entries: Object.fromEntries(entryPaths) as BundleRequest['entries'],
    format,
  };
  const thread = new Worker(new URL('bundleThread.ts', import.meta.url), {
    env: pickVariables(...usualVariables),
    workerData,
  });
  const [bundleOutput] = (await once(thread, 'message')) as [BundleOutput];
  return bundleOutput;
}

/**
 * Bundles one script or style sheet that a page contains inline or loads as a classic script.
 * @throws if the source has an error
 */
export async function bundleText(source: URL): Promise<string> {
  const { files } = await runBundler({ only: source }, 'iife');
  return Buffer.concat(files.map(({ contents }) => contents)).toString();
}

/**
 * Bundles the scripts and styles of a page of the console or the editor. esbuild does that in
 * memory, in its own thread (bundleThread.ts). Each dynamic import becomes a separate script.
 * For example, the entry `{ main: 'file:…/main.tsx' }` becomes the asset `main-5XK2QJ.js`, and the
 * page's `/console/main.js` becomes `/console/main-5XK2QJ.js`.
 * @param html the page. It names its entries by their URL path, such as `/console/main.js`
 * @param folder the URL path of the entries, such as `/console/`
 * @returns the page and its files, each also compressed
 * @throws if a source has an error
 */
export async function buildPage(
  html: URL,
  folder: string,
  entries: Record<string, URL>,
): Promise<BundledPage> {
  const { files, outputs } = await runBundler(entries, 'esm');
  const assets = await Promise.all(
    files.map(
      async ({ path, contents }) => [basename(path), await createAsset(path, contents)] as const,
    ),
  );
  const page = insertFileNames(await readFile(html, 'utf8'), folder, outputs);
  return { page: await createAsset('page.html', Buffer.from(page)), assets: new Map(assets) };
}

/**
 * Replaces the entries' names in the page with those of the bundled files. Preloads the scripts
 * that the entries import.
 */
function insertFileNames(html: string, folder: string, outputs: BundleOutput['outputs']): string {
  const names = Object.keys(outputs).map((path) => basename(path));
  const preloadedScripts = new Set<string>();
  const htmlWithNames = html.replaceAll(
    new RegExp(`(?<="${folder})(\\w+)\\.(js|css)(?=")`, 'g'),
    (entryPath, entry, type) => {
      const name = names.find(
        (fileName) => fileName.startsWith(`${entry}-`) && fileName.endsWith(`.${type}`),
      );
      if (name === undefined) throw new Error(`The page names ${entryPath}, which is no entry`);
      for (const fileName of importedScripts(outputs, name)) preloadedScripts.add(fileName);
      return name;
    },
  );
  const preloads = [...preloadedScripts].map(
    (name) => `  <link rel="modulepreload" href="${folder}${name}" />\n  `,
  );
  return htmlWithNames.replace('</head>', () => `${preloads.join('')}</head>`);
}

/** The scripts that a script imports statically, directly or not. */
function importedScripts(outputs: BundleOutput['outputs'], script: string): string[] {
  const scriptNames = new Set([script]);
  for (const scriptName of scriptNames) {
    const [, output] =
      Object.entries(outputs).find(([path]) => basename(path) === scriptName) ?? [];
    for (const { path, kind } of output?.imports ?? [])
      if (kind === 'import-statement') scriptNames.add(basename(path));
  }
  return [...scriptNames].slice(1);
}

/** Compresses a file in each encoding. @param name its file extension gives the media type */
export async function createAsset(name: string, contents: Uint8Array): Promise<BundledAsset> {
  const identity = Buffer.from(contents);
  const br = await promisify(brotliCompress)(identity, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 9 },
  });
  const zipped = await promisify(gzip)(identity);
  const etag = createHash('sha256').update(identity).digest('base64url');
  return {
    type: extname(name).slice(1),
    etag,
    bytes: { br, gzip: zipped, identity },
  };
}
