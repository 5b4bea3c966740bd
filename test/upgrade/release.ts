import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import type { DemoFile } from '../../src/demo/demoFile.ts';

/*
 * What a released version left behind: its data folder, the dump of its database, and what it
 * answered about them. A kept release never changes: see CONTRIBUTING.md.
 *
 * - `record.ts` makes it: `npm run upgrade:record`
 * - `story.ts`: what an organization does with the service meanwhile
 * - `releasedService.ts` starts the code as it is now on it
 */

const run = promisify(execFile);
const MOST_BYTES = 1024 ** 3;
const { ZSTD_c_compressionLevel, ZSTD_c_windowLog, ZSTD_d_windowLogMax } = constants;
const WINDOW = 27;
/** Stands for the folder in the dump: it has the path of the site's repository. */
const PLACEHOLDER = '/folder/of/the/release';

/** `embedded`: the data folder has the database too. `postgres`: beside it there is a dump. */
export const databaseKinds = ['embedded', 'postgres'] as const;
export type DatabaseKind = (typeof databaseKinds)[number];

/** What a release was asked, and what it answered. */
export interface ReleaseRecord {
  /** The organization and its site. */
  owner: Omit<DemoFile, 'baseUrl'>;
  /** A key of the role `admin`. */
  adminKey: string;
  /** Answers of the API to GET, by path. A later version gives the same, and may add fields. */
  answers: Record<string, unknown>;
  /** The headlines of live pages, by their URLs without the port. */
  headlines: Record<string, string>;
  /** A task that had asked a question, and one that ran when the release ended. */
  askingTask: string;
  publishingTask: string;
  /** Batches that had not ended, by their status. */
  batches: Record<'running' | 'paused' | 'waiting', string>;
  /** A link of each access. */
  shares: string[];
  /** The endpoint of events, and its secret. */
  endpoint: { endpointId: string; secret: string };
}

/** The files of a release: its data folder, its dump, its site's repository and its record. */
export const releaseFiles = (folder: string) => ({
  data: join(folder, 'data'),
  dump: join(folder, 'database.sql'),
  repository: join(folder, 'site.git'),
  record: join(folder, 'record.json'),
});

const archiveOf = (version: string, kind: DatabaseKind) =>
  join(import.meta.dirname, version, `${kind}.tar.zst`);

/** Keeps a folder and the record of a release. */
export async function keepRelease(
  version: string,
  kind: DatabaseKind,
  { folder, record }: { folder: string; record: ReleaseRecord },
): Promise<void> {
  const files = releaseFiles(folder);
  await writeFile(files.record, JSON.stringify(record, null, 2));
  if (kind === 'postgres') await replaceIn(files.dump, folder, PLACEHOLDER);
  const { stdout } = await run('tar', ['--sort=name', '-c', '.'], {
    cwd: folder,
    encoding: 'buffer',
    maxBuffer: MOST_BYTES,
  });
  const params = { [ZSTD_c_compressionLevel]: 19, [ZSTD_c_windowLog]: WINDOW };
  const archive = archiveOf(version, kind);
  await mkdir(join(archive, '..'), { recursive: true });
  await writeFile(archive, await promisify(zstdCompress)(stdout, { params }));
}

/** Unpacks a release into an empty folder. */
export async function unpackRelease(
  version: string,
  kind: DatabaseKind,
  folder: string,
): Promise<ReleaseRecord> {
  const files = releaseFiles(folder);
  const params = { [ZSTD_d_windowLogMax]: WINDOW };
  const archive = await promisify(zstdDecompress)(await readFile(archiveOf(version, kind)), {
    params,
  });
  const unpacked = join(folder, 'release.tar');
  await writeFile(unpacked, archive);
  await run('tar', ['-xf', unpacked, '-C', folder]);
  await rm(unpacked);
  if (kind === 'postgres') await replaceIn(files.dump, PLACEHOLDER, folder);
  return JSON.parse(await readFile(files.record, 'utf8')) as ReleaseRecord;
}

async function replaceIn(file: string, old: string, now: string): Promise<void> {
  await writeFile(file, (await readFile(file, 'utf8')).replaceAll(old, now));
}
