import { execFile } from 'node:child_process';
import { cp, mkdtemp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { openapiDocument } from '../../src/api/openapi.ts';

const run = promisify(execFile);
const source = import.meta.dirname;
const cacheFolder = join(source, '../../.cache');
const requirements = join(source, 'requirements.txt');
const packageName = 'agent_tasks_client';

/**
 * Makes the wheel of the Python client. Its package is what openapi-python-client generates from
 * the OpenAPI document, with the modules of this folder beside it. Needs Python 3.11 with pip.
 * @param folder the folder in which to write the wheel
 * @returns the file of the wheel
 */
export async function buildPythonClient(folder: string): Promise<string> {
  const tools = await installTools();
  const project = await mkdtemp(join(tmpdir(), 'agent-tasks-python-'));
  const python = (...args: string[]) =>
    run('python3', ['-m', ...args], {
      cwd: project,
      env: { ...process.env, PYTHONPATH: tools, PYTHONDONTWRITEBYTECODE: '1' },
    });
  try {
    await writeFile(join(project, 'openapi.json'), JSON.stringify(documentOfClient()));
    const input = ['--path', 'openapi.json', '--config', join(source, 'generator.yaml')];
    const output = ['--meta', 'none', '--output-path', packageName, '--fail-on-warning'];
    await python('openapi_python_client', 'generate', ...input, ...output);
    for (const name of [packageName, 'pyproject.toml', 'README.md', 'LICENSE'])
      await cp(join(source, name), join(project, name), { recursive: true });
    await python('hatchling', 'build', '--target', 'wheel', '--directory', folder);
  } finally {
    await rm(project, { recursive: true });
  }
  const wheel = (await readdir(folder)).find((name) => name.endsWith('.whl'));
  return join(folder, wheel!);
}

/** The OpenAPI document, in which a CSV is a file in any encoding instead of a text. */
function documentOfClient(): unknown {
  const document = openapiDocument({ publicUrl: 'https://service.example', retentionDays: 30 });
  return JSON.parse(JSON.stringify(document), (key, value: { schema?: object }) =>
    key === 'text/csv' ? { schema: { ...value.schema, format: 'binary' } } : value,
  );
}

/** Installs what builds the client, once for each version of the requirements. */
async function installTools(): Promise<string> {
  const digest = createHash('sha256').update(await readFile(requirements));
  const tools = join(cacheFolder, `python-${digest.digest('hex').slice(0, 16)}`);
  if (existsSync(tools)) return tools;
  await mkdir(cacheFolder, { recursive: true });
  const installing = await mkdtemp(`${tools}.`);
  const quiet = ['--quiet', '--no-compile', '--no-warn-conflicts'];
  await run(
    'python3',
    ['-m', 'pip', 'install', ...quiet, '--target', installing, '--requirement', requirements],
    { env: { ...process.env, PIP_ROOT_USER_ACTION: 'ignore' } },
  );
  // another build may have installed them in the meantime
  await rename(installing, tools).catch(() => rm(installing, { recursive: true }));
  return tools;
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { to: { type: 'string', default: join(source, 'dist') } },
  });
  console.log(await buildPythonClient(values.to));
}
