import { bundleWorkflowCode, type WorkflowBundleWithSourceMap } from '@temporalio/worker';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { usual, variables } from '../../environment.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../..', import.meta.url));
const bundled = ['workflows', 'src/contract'];
const everything = ['workflows', 'activities', 'src'];

/** The workflows that a worker runs, and an id of the code of workflows and activities. */
export interface Build {
  id: string;
  workflowBundle: { code: string };
}

/** Reads the build of the code on disk. @param cacheDir folder for cached bundles */
export async function readBuild(cacheDir: string): Promise<Build> {
  const [id, bundle] = await Promise.all([buildIdOf(), workflowBundle(cacheDir)]);
  return { id, workflowBundle: bundle };
}

/** The id of the code in a folder. It changes with any code that a worker runs. */
export const buildIdOf = (folder = root) => digest(everything, folder);

/**
 * The workflows' bundle, made once for each version of their code.
 * @param cacheDir folder for cached bundles
 */
export async function workflowBundle(cacheDir: string): Promise<{ code: string }> {
  const path = join(cacheDir, `workflows-${await digest(bundled, root)}.js`);
  const kept = await readFile(path, 'utf8').catch(() => undefined);
  if (kept !== undefined) return { code: kept };
  const code = await bundleApart();
  await keep(cacheDir, path, code);
  return { code };
}

/**
 * Bundles in a separate process: otherwise this process would keep the 200 MB that bundling takes
 * (measured).
 */
async function bundleApart(): Promise<string> {
  const script = fileURLToPath(new URL('makeBundle.ts', import.meta.url));
  const env = variables(...usual, 'NODE_COMPILE_CACHE');
  return (await run(process.execPath, [script], { cwd: root, maxBuffer: Infinity, env })).stdout;
}

/** Bundles the workflows on disk, or those at another path. */
export function bundleWorkflows(
  workflowsPath = join(root, 'workflows/index.ts'),
): Promise<WorkflowBundleWithSourceMap> {
  const quiet = () => undefined;
  const logger = { log: quiet, trace: quiet, debug: quiet, info: quiet, warn: quiet, error: quiet };
  return bundleWorkflowCode({ workflowsPath, logger });
}

/** Digest of all sources in some folders, and of the lockfile, which has the packages' versions. */
async function digest(inputs: string[], root: string): Promise<string> {
  const hash = createHash('sha256');
  const folders = await Promise.all(
    inputs.map((folder) => readdir(join(root, folder), { recursive: true })),
  );
  const files = inputs.flatMap((folder, i) =>
    folders[i]!.filter((file) => file.endsWith('.ts')).map((file) => join(folder, file)),
  );
  for (const file of ['package.json', 'package-lock.json', ...files.sort()]) {
    hash
      .update(`${file}\0`)
      .update(await readFile(join(root, file)).catch(() => ''))
      .update('\0');
  }
  return hash.digest('hex').slice(0, 32);
}

async function keep(cacheDir: string, path: string, code: string) {
  await mkdir(cacheDir, { recursive: true });
  const temporary = `${path}.${process.pid}`;
  await writeFile(temporary, code);
  await rename(temporary, path);
  const old = (await readdir(cacheDir))
    .map((name) => join(cacheDir, name))
    .filter((file) => file !== path && /workflows-[0-9a-f]+\.js$/.test(file));
  await Promise.all(old.map((file) => rm(file, { force: true })));
}
