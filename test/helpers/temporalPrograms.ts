import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { temporalCompose } from './compose.ts';
import { root } from './documents.ts';
import { findOnPath } from './programs.ts';

const run = promisify(execFile);
const MODULE = 'go.temporal.io/server';
/** By package, what Temporal's images call the program. */
const programs = { 'cmd/server': 'temporal-server', 'cmd/tools/sql': 'temporal-sql-tool' };

/** The version that the compose file runs. */
const versionOf = () => temporalCompose().services['temporal']!.image.split(':')[1]!;

/**
 * Temporal's server and its tool for the database's schema, in the version of docker-compose.temporal.yml. The first
 * call builds both with Go, which takes minutes, and keeps them in `.cache`.
 * @returns their folder, null where they are not there and Go is not installed
 * @throws where the build fails, with what to do
 */
export async function findTemporalPrograms(): Promise<string | null> {
  const version = versionOf();
  const folder = join(root, '.cache', `temporal-server-${version}`);
  if (existsSync(folder)) return folder;
  const go = findOnPath('go');
  if (go === null) return null;
  console.log(`      Building Temporal's server ${version} in ${folder}: once, it takes minutes`);
  const building = await build(go, version);
  try {
    renameSync(building, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error; // another run was faster
    rmSync(building, { recursive: true });
  }
  return folder;
}

/** @returns a folder with both programs */
async function build(go: string, version: string): Promise<string> {
  mkdirSync(join(root, '.cache'), { recursive: true });
  const folder = mkdtempSync(join(root, '.cache', 'temporal-server-building-'));
  const env = { ...process.env, GOBIN: folder, GOFLAGS: '-trimpath', CGO_ENABLED: '0' };
  const packages = Object.keys(programs).map((path) => `${MODULE}/${path}@v${version}`);
  try {
    await run('nice', ['-n', '10', go, 'install', '-p', '2', ...packages], { cwd: folder, env, maxBuffer: 1e8 });
    for (const [path, name] of Object.entries(programs)) {
      renameSync(join(folder, basename(path)), join(folder, name));
    }
    return folder;
  } catch (cause) {
    rmSync(folder, { recursive: true, force: true });
    throw new Error(buildAdvice(version, cause as Error & { stderr?: string }), { cause });
  }
}

const buildAdvice = (version: string, { message, stderr = message }: Error & { stderr?: string }) =>
  `Temporal's server ${version} could not be built: ${stderr.trim().split('\n').at(-1)}. Go gets it from the module ` +
  'proxy (`go env GOPROXY`) and needs 3 GB of disk. To test on the dev server instead, take `go` off the PATH.';
