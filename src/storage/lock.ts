import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DomainError } from '../errors.ts';

const SQLITE_BUSY = 5;

/**
 * Takes the folder for this process alone, until `release` or the end of the process, whatever way it ends.
 *
 * The lock is the operating system's own (fcntl, by way of SQLite's exclusive transaction): the kernel frees it with
 * the process, so there is no stale lock to tell from a held one, and of two starters at the same time exactly one gets
 * it.
 * @param dataDir an existing folder that this process may write to
 * @throws DomainError CONFLICT that names the process in whose hands the folder is
 */
export function lockDataDir(dataDir: string): { release: () => void } {
  const pidFile = join(dataDir, 'lock.pid');
  const lock = new DatabaseSync(lockIn(dataDir));
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    throw isBusy(error) ? inUse(dataDir, pidFile) : error;
  }
  writeFileSync(pidFile, `${process.pid}\n`);
  return { release: () => lock.close() };
}

/**
 * Does nothing to a folder that nobody holds, nor makes a lock in it.
 * @throws DomainError CONFLICT where another process holds the folder
 */
export function refuseHeld(dataDir: string): void {
  if (existsSync(lockIn(dataDir))) lockDataDir(dataDir).release();
}

const lockIn = (dataDir: string) => join(dataDir, 'lock');

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
}

function inUse(dataDir: string, pidFile: string): DomainError {
  return new DomainError(
    'CONFLICT',
    `DATA_DIR ${dataDir} is in use by another process (pid ${holder(pidFile)}): stop that one, or choose another DATA_DIR`,
    { retryable: true },
  );
}

/** The holder writes its id after it got the lock: for a moment there may be none yet. */
function holder(pidFile: string): string {
  try {
    return readFileSync(pidFile, 'utf8').trim() || 'unknown';
  } catch {
    return 'unknown';
  }
}
