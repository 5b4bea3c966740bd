import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DomainError } from '../errors.ts';

const SQLITE_BUSY = 5;

/**
 * Locks the folder for this process, until `release` or until the process ends in any way.
 *
 * The operating system holds the lock (fcntl, through SQLite's exclusive transaction). It frees the
 * lock when the process ends, so no lock is ever stale. If two processes start at the same time,
 * exactly one gets it.
 * @param dataDir an existing folder that this process may write to
 * @throws DomainError CONFLICT that names the process that holds the lock
 */
export function lockDataDir(dataDir: string): { release: () => void } {
  const folderLock = takeLock(dataDir);
  writeFileSync(pidFileIn(dataDir), `${process.pid}\n`);
  return { release: () => folderLock.close() };
}

function takeLock(dataDir: string): DatabaseSync {
  const lockDatabase = new DatabaseSync(lockFileIn(dataDir));
  try {
    lockDatabase.exec('BEGIN EXCLUSIVE');
    return lockDatabase;
  } catch (error) {
    lockDatabase.close();
    throw isBusy(error) ? inUseError(dataDir, pidFileIn(dataDir)) : error;
  }
}

/**
 * Checks that no process holds the folder's lock. Changes nothing.
 * @throws DomainError CONFLICT if another process holds the lock
 */
export function refuseIfLocked(dataDir: string): void {
  if (existsSync(lockFileIn(dataDir))) takeLock(dataDir).close();
}

const LOCK = 'lock';
const PID_FILE = 'lock.pid';
const lockFileIn = (dataDir: string) => join(dataDir, LOCK);
const pidFileIn = (dataDir: string) => join(dataDir, PID_FILE);

/**
 * The name of a file in a folder that this service has never locked, so that the file is another
 * program's. undefined if there is none.
 */
export function foreignFileIn(folder: string): string | undefined {
  const fileNames = readdirSync(folder);
  return fileNames.includes(PID_FILE) ? undefined : fileNames.find((name) => name !== LOCK);
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
}

function inUseError(dataDir: string, pidFile: string): DomainError {
  return new DomainError(
    'CONFLICT',
    `DATA_DIR ${dataDir} is in use by another process (pid ${lockHolder(pidFile)}): stop that process, or choose another DATA_DIR`,
    { retryable: true },
  );
}

/**
 * Describes the process that holds the lock. It writes its id after it gets the lock, so the id may
 * be missing for a moment.
 */
function lockHolder(pidFile: string): string {
  try {
    return readFileSync(pidFile, 'utf8').trim() || 'unknown';
  } catch {
    return 'unknown';
  }
}
