import { execFile } from 'node:child_process';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { usualVariables, pickVariables } from '../../childEnvironment.ts';
import { DomainError } from '../../errors.ts';

const execFileAsync = promisify(execFile);

/** The pid of the dev server while it runs, and its ports, which the next run prefers. */
export interface PidFile {
  pid?: number;
  port: number;
  uiPort: number;
}

/** The last run's pid file; undefined if it is missing or damaged. */
export function readPidFile(pidPath: string): PidFile | undefined {
  try {
    return JSON.parse(readFileSync(pidPath, 'utf8')) as PidFile;
  } catch {
    return undefined;
  }
}

/**
 * Writes the file completely or not at all. Synchronous: nothing may run between the start of the
 * process and its record.
 */
export function writePidFile(pidPath: string, lastRun: PidFile): void {
  writeFileSync(`${pidPath}.new`, JSON.stringify(lastRun), { mode: 0o600 });
  renameSync(`${pidPath}.new`, pidPath);
}

/**
 * Ends the dev server that a killed service left running. Recognizes it by the database in its
 * command line.
 * @returns whether there was one
 * @throws DomainError CONFIGURATION if it can't be ended
 */
export async function endOrphan(
  lastRun: PidFile | undefined,
  databaseFile: string,
): Promise<boolean> {
  if (!lastRun?.pid || !(await isRecordedServer(lastRun.pid, databaseFile))) return false;
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    signalGroup(lastRun.pid, signal);
    if (await endsWithin(10_000, lastRun.pid, databaseFile)) return true;
  }
  throw new DomainError(
    'CONFIGURATION',
    `The Temporal server of an earlier run (process ${lastRun.pid}) can't be stopped. Stop it by hand`,
  );
}

/** Signals a process group. Ignores one that is already gone. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function endsWithin(
  milliseconds: number,
  pid: number,
  databaseFile: string,
): Promise<boolean> {
  const deadline = Date.now() + milliseconds;
  while (await isRecordedServer(pid, databaseFile)) {
    if (Date.now() > deadline) return false;
    await delay(50);
  }
  return true;
}

/**
 * Whether the process is the recorded dev server. A zombie's command line is empty, so an ended
 * process that its parent has not reaped does not count.
 */
async function isRecordedServer(pid: number, databaseFile: string): Promise<boolean> {
  const commandWords = await readCommandLine(pid);
  return commandWords.includes('start-dev') && commandWords.includes(databaseFile);
}

async function readCommandLine(pid: number): Promise<string> {
  try {
    if (process.platform === 'linux')
      return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ');
    const psArguments = ['-ww', '-o', 'args=', '-p', String(pid)];
    return (await execFileAsync('ps', psArguments, { env: pickVariables(...usualVariables) }))
      .stdout;
  } catch {
    return '';
  }
}
