import { bundleWorkflowCode, type WorkflowBundleWithSourceMap } from '@temporalio/worker';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { usualVariables, pickVariables } from '../../childEnvironment.ts';

const execFileAsync = promisify(execFile);
const projectRoot = fileURLToPath(new URL('../../..', import.meta.url));
const bundledFolders = ['workflows', 'src/contract'];
const codeFolders = ['workflows', 'activities', 'src'];

/** The workflows that a worker runs, and an id of the code of workflows and activities. */
export interface WorkerBuild {
  id: string;
  workflowBundle: { code: string };
}

/** Reads the build of the code on disk. @param cacheDir folder for cached bundles */
export async function readBuild(cacheDir: string): Promise<WorkerBuild> {
  const [id, bundle] = await Promise.all([readBuildId(), workflowBundle(cacheDir)]);
  return { id, workflowBundle: bundle };
}

/** The id of the code in a folder. It changes with any code that a worker runs. */
export const readBuildId = (folder = projectRoot) => digestSources(codeFolders, folder);

/**
 * The workflows' bundle, which is created once for each version of their code.
 * @param cacheDir folder for cached bundles
 */
export async function workflowBundle(cacheDir: string): Promise<{ code: string }> {
  const path = join(cacheDir, `workflows-${await digestSources(bundledFolders, projectRoot)}.js`);
  const cachedCode = await readFile(path, 'utf8').catch(() => undefined);
  if (cachedCode !== undefined) return { code: cachedCode };
  const code = await bundleInProcess();
  await keepBundle(cacheDir, path, code);
  return { code };
}

/**
 * Bundles in a separate process: otherwise this process would keep the 200 MB that bundling takes
 * (measured).
 */
async function bundleInProcess(): Promise<string> {
  const script = fileURLToPath(new URL('makeBundle.ts', import.meta.url));
  const env = pickVariables(...usualVariables, 'NODE_COMPILE_CACHE');
  return (
    await execFileAsync(process.execPath, [script], { cwd: projectRoot, maxBuffer: Infinity, env })
  ).stdout;
}

/** Bundles the workflows on disk, or those at another path. */
export function bundleWorkflows(
  workflowsPath = join(projectRoot, 'workflows/index.ts'),
): Promise<WorkflowBundleWithSourceMap> {
  const ignoreLog = () => undefined;
  const logger = {
    log: ignoreLog,
    trace: ignoreLog,
    debug: ignoreLog,
    info: ignoreLog,
    warn: ignoreLog,
    error: ignoreLog,
  };
  const workflowInterceptorModules = [join(projectRoot, 'workflows/tracing.ts')];
  return bundleWorkflowCode({ workflowsPath, workflowInterceptorModules, logger });
}

/** Digest of all sources in some folders, and of the lockfile, which has the packages' versions. */
async function digestSources(inputs: string[], rootDir: string): Promise<string> {
  const sourceHash = createHash('sha256');
  const folders = await Promise.all(
    inputs.map((folder) => readdir(join(rootDir, folder), { recursive: true })),
  );
  const files = inputs.flatMap((folder, i) =>
    folders[i]!.filter((file) => file.endsWith('.ts')).map((file) => join(folder, file)),
  );
  for (const file of ['package.json', 'package-lock.json', ...files.sort()]) {
    sourceHash
      .update(`${file}\0`)
      .update(await readFile(join(rootDir, file)).catch(() => ''))
      .update('\0');
  }
  return sourceHash.digest('hex').slice(0, 32);
}

async function keepBundle(cacheDir: string, path: string, code: string) {
  await mkdir(cacheDir, { recursive: true });
  const temporary = `${path}.${process.pid}`;
  await writeFile(temporary, code);
  await rename(temporary, path);
  const oldBundles = (await readdir(cacheDir))
    .map((name) => join(cacheDir, name))
    .filter((file) => file !== path && /workflows-[0-9a-f]+\.js$/.test(file));
  await Promise.all(oldBundles.map((file) => rm(file, { force: true })));
}
