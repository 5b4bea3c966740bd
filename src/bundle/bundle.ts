import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { usual, variables } from '../environment.ts';
import { pageOf } from '../console/page.ts';

/** Encodings that are ready-made, the smaller first. */
export const encodings = ['br', 'gzip', 'identity'] as const;
export type Encoding = (typeof encodings)[number];

export interface ConsoleFile {
  /** Extension, as a media type is found by it. */
  type: 'html' | 'js' | 'css';
  etag: string;
  bytes: Record<Encoding, Buffer>;
}

export interface Console {
  page: ConsoleFile;
  /** By name below `/console/`. A name has its content's hash: the content never changes under it. */
  assets: Map<string, ConsoleFile>;
}

/** What the thread makes: the files, and which of them imports which. */
interface Bundle {
  files: { path: string; contents: Uint8Array }[];
  outputs: Outputs;
}

async function bundle(): Promise<Bundle> {
  const env = variables(...usual);
  const thread = new Worker(new URL('bundleThread.ts', import.meta.url), { env });
  const [made] = (await once(thread, 'message')) as [Bundle];
  return made;
}

/**
 * The console's page with its scripts and styles, bundled in memory. Each screen that the first one does not need is a
 * script of its own.
 * @throws where a source has an error
 */
export async function buildConsole(): Promise<Console> {
  const { files, outputs } = await bundle();
  const named = await Promise.all(files.map(async (file) => [nameOf(file), await fileOf(file)] as const));
  const assets = new Map(named);
  const find = (start: string) => [...assets.keys()].find((name) => name.startsWith(start)) ?? '';
  const script = find('console-');
  const page = pageOf({ script, style: find('style-'), early: importedBy(outputs, script) });
  return { page: await compressed('html', Buffer.from(page)), assets };
}

const nameOf = ({ path }: { path: string }) => path.slice(path.lastIndexOf('/') + 1);

const fileOf = ({ path, contents }: Bundle['files'][number]) =>
  compressed(path.endsWith('.css') ? 'css' : 'js', Buffer.from(contents));

type Outputs = Record<string, { imports: { path: string; kind: string }[] }>;

/** The scripts that a script can't begin without, so that the page asks for them at once. */
function importedBy(outputs: Outputs, script: string): string[] {
  const found = new Set([script]);
  for (const each of found) {
    const [, output] = Object.entries(outputs).find(([path]) => nameOf({ path }) === each) ?? [];
    for (const { path, kind } of output?.imports ?? []) if (kind === 'import-statement') found.add(nameOf({ path }));
  }
  return [...found].slice(1);
}

async function compressed(type: ConsoleFile['type'], identity: Buffer): Promise<ConsoleFile> {
  const br = await promisify(brotliCompress)(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
  const zipped = await promisify(gzip)(identity);
  const etag = createHash('sha256').update(identity).digest('base64url');
  return { type, etag, bytes: { br, gzip: zipped, identity } };
}
