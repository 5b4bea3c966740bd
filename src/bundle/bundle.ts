import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { usual, variables } from '../environment.ts';

/** Encodings in which files are prepared, the smallest first. */
export const encodings = ['br', 'gzip', 'identity'] as const;
export type Encoding = (typeof encodings)[number];

export interface Asset {
  /** File extension, from which the media type follows, or the media type. */
  type: string;
  etag: string;
  bytes: Record<Encoding, Buffer>;
}

export interface BuiltPage {
  page: Asset;
  /**
   * Files by name. A name contains its content's hash, so the content under a name never changes.
   */
  assets: Map<string, Asset>;
}

/**
 * A request to the bundling thread: source files by entry name, and the output format (modules or a
 * classic script).
 */
export interface Asked {
  entries: Record<string, string>;
  format: 'esm' | 'iife';
}

/** The bundling thread's result: the files, and the imports of each. */
interface Made {
  files: { path: string; contents: Uint8Array }[];
  outputs: Record<string, { imports: { path: string; kind: string }[] }>;
}

async function bundle(entries: Record<string, URL>, format: Asked['format']): Promise<Made> {
  const paths = Object.entries(entries).map(([name, url]) => [name, fileURLToPath(url)]);
  const workerData: Asked = { entries: Object.fromEntries(paths) as Asked['entries'], format };
  const thread = new Worker(new URL('bundleThread.ts', import.meta.url), {
    env: variables(...usual),
    workerData,
  });
  const [made] = (await once(thread, 'message')) as [Made];
  return made;
}

/**
 * Bundles one script or style sheet that a page contains inline or loads as a classic script.
 * @throws if the source has an error
 */
export async function bundleText(source: URL): Promise<string> {
  const { files } = await bundle({ only: source }, 'iife');
  return Buffer.concat(files.map(({ contents }) => contents)).toString();
}

/**
 * Bundles a page's scripts and styles in memory. Each dynamic import becomes a script of its own.
 * @param html the page. It names its entries by their URL path, such as `/console/main.js`
 * @param folder the URL path of the entries, such as `/console/`
 * @throws if a source has an error
 */
export async function buildPage(
  html: URL,
  folder: string,
  entries: Record<string, URL>,
): Promise<BuiltPage> {
  const { files, outputs } = await bundle(entries, 'esm');
  const assets = await Promise.all(
    files.map(
      async ({ path, contents }) => [basename(path), await assetOf(path, contents)] as const,
    ),
  );
  const page = withFiles(await readFile(html, 'utf8'), folder, outputs);
  return { page: await assetOf('page.html', Buffer.from(page)), assets: new Map(assets) };
}

/**
 * Replaces the entries' names in the page with those of the bundled files. Preloads the scripts
 * that the entries import.
 */
function withFiles(html: string, folder: string, outputs: Made['outputs']): string {
  const names = Object.keys(outputs).map((path) => basename(path));
  const early = new Set<string>();
  const named = html.replaceAll(
    new RegExp(`(?<="${folder})(\\w+)\\.(js|css)(?=")`, 'g'),
    (whole, entry, type) => {
      const name = names.find((each) => each.startsWith(`${entry}-`) && each.endsWith(`.${type}`));
      if (name === undefined) throw new Error(`The page names ${whole}, which is no entry`);
      for (const each of importedBy(outputs, name)) early.add(each);
      return name;
    },
  );
  const preloads = [...early].map(
    (name) => `  <link rel="modulepreload" href="${folder}${name}" />\n  `,
  );
  return named.replace('</head>', () => `${preloads.join('')}</head>`);
}

/** The scripts that a script imports statically, directly or not. */
function importedBy(outputs: Made['outputs'], script: string): string[] {
  const found = new Set([script]);
  for (const each of found) {
    const [, output] = Object.entries(outputs).find(([path]) => basename(path) === each) ?? [];
    for (const { path, kind } of output?.imports ?? [])
      if (kind === 'import-statement') found.add(basename(path));
  }
  return [...found].slice(1);
}

export async function assetOf(name: string, contents: Uint8Array): Promise<Asset> {
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
