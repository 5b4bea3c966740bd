import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporalCompose } from './compose.ts';
import { root } from './documents.ts';
import { findOnPath } from './programs.ts';

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
  if (findOnPath('go') === null) return null;
  console.log(`      Building Temporal's server ${version} in ${folder}: once, it takes minutes`);
  const script = join(import.meta.dirname, 'buildTemporal.sh');
  try {
    await promisify(execFile)('bash', [script, folder, version], { maxBuffer: 1e8 });
  } catch (cause) {
    throw new Error(buildAdvice(version, cause as Error & { stderr?: string }), { cause });
  }
  return folder;
}

const buildAdvice = (version: string, { message, stderr = message }: Error & { stderr?: string }) =>
  `Temporal's server ${version} could not be built: ${stderr.trim().split('\n').at(-1)}. Go gets it from the module ` +
  'proxy (`go env GOPROXY`) and needs 3 GB of disk. To test on the dev server instead, take `go` off the PATH.';
