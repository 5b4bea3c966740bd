import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { downloadVariables, usualVariables, pickVariables } from '../../childEnvironment.ts';
import { doesResolve } from '../../errors.ts';

const execFileAsync = promisify(execFile);
const projectRoot = resolve(import.meta.dirname, '../../..');
const downloadHost = 'https://temporal.download/';

/**
 * The script of a separate process. The SDK only downloads when it starts a server, and that sets
 * up a process-wide runtime.
 */
const downloadScript = (factory: 'createLocal' | 'createTimeSkipping') => `
  import { TestWorkflowEnvironment } from '@temporalio/testing';
  const executable = { type: 'cached-download', downloadDir: process.argv[1] };
  await (await TestWorkflowEnvironment.${factory}({ server: { executable } })).teardown();`;

/**
 * Lets the Temporal SDK download a server binary, if the download host answers within 3 s and
 * `@temporalio/testing` is installed.
 * @param factory the test environment that uses the binary: `createLocal` the CLI,
 *   `createTimeSkipping` the test server
 * @param target the path that the binary is moved to
 * @returns whether the binary is at `target` now
 */
export async function downloadWithSdk(
  factory: 'createLocal' | 'createTimeSkipping',
  target: string,
  progress?: (line: string) => void,
): Promise<boolean> {
  if (!(await isReachable())) return false;
  progress?.(`Temporal: downloading ${target} with the SDK`);
  await mkdir(dirname(target), { recursive: true });
  const staging = await mkdtemp(join(dirname(target), 'download-'));
  try {
    await execFileAsync(
      process.execPath,
      ['--input-type=module', '-e', downloadScript(factory), staging],
      {
        cwd: projectRoot,
        timeout: 180_000,
        env: pickVariables(...usualVariables, ...downloadVariables),
      },
    );
    const [fileName] = await readdir(staging);
    await rename(join(staging, fileName!), target);
    return true;
  } catch {
    return false;
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

async function isReachable(): Promise<boolean> {
  const signal = AbortSignal.timeout(3_000);
  return doesResolve(fetch(downloadHost, { method: 'HEAD', redirect: 'manual', signal }));
}
