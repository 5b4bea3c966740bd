import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/**
 * Temporal's server and its tool for the database's schema, in the version of
 * docker-compose.temporal.yml. The first call builds both with Go, which takes minutes, and keeps
 * them in `.cache`.
 * @returns their folder, null where they are not there and Go is not installed
 * @throws where the build fails, with what to do
 */
export async function findTemporalPrograms(): Promise<string | null> {
  const building = promisify(execFile)('bash', [join(import.meta.dirname, 'buildTemporal.sh')], {
    maxBuffer: 1e8,
  });
  building.child.stderr?.on(
    'data',
    (text: string) => /^Building /.test(text) && console.log(`      ${text.trim()}`),
  );
  try {
    const { stdout } = await building;
    return stdout.trim() || null;
  } catch (cause) {
    throw new Error(buildAdvice(cause as Error & { stderr?: string }), { cause });
  }
}

const buildAdvice = ({ message, stderr }: Error & { stderr?: string }) =>
  `Temporal's server could not be built: ${(stderr || message).trim().split('\n').at(-1)}. Go gets it from the module ` +
  'proxy (`go env GOPROXY`) and needs 3 GB of disk. To test on the dev server instead, take `go` off the PATH.';
