import { accessSync, chmodSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import { DomainError } from '../errors.ts';
import { foreignFileIn } from './dataFolderLock.ts';

const FOR_OTHERS = 0o077;
const SHARED = 0o1000;

/**
 * Creates the data folder if it is missing.
 * @throws DomainError CONFIGURATION if this user can't use the folder
 */
export function makeFolder(dataDir: string): void {
  try {
    makeMissing(dataDir);
    accessSync(dataDir + sep, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const wanted =
      code === 'ENAMETOOLONG' ? 'a shorter path' : 'a folder that this user may write to';
    throw refusal(dataDir, `can't be used (${code}): choose ${wanted}`, cause);
  }
}

/** Creates each missing folder in turn. Node's recursive mkdir never returns below /proc. */
function makeMissing(folder: string): void {
  if (existsSync(folder)) return;
  makeMissing(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/**
 * Denies other users access to a data folder, since it contains keys and secrets. Leaves a folder
 * that has other files as it is: an operator may have named `/tmp` by mistake.
 * @param system this user's id, and the function that sets a folder's mode; replaced in tests
 * @throws DomainError CONFIGURATION if another user owns the folder, or it stays accessible
 */
export function closeFolder(
  dataDir: string,
  { uid = process.getuid?.(), chmod = chmodSync } = {},
): void {
  const foreign = foreignFileIn(dataDir);
  if (foreign !== undefined)
    throw refusal(
      dataDir,
      `holds files that are not the service's (${foreign}): choose a new folder`,
    );
  const { mode, uid: owner } = statSync(dataDir);
  if (mode & SHARED) throw refusal(dataDir, 'is shared by all users: choose a folder inside of it');
  if (uid !== undefined && owner !== uid)
    throw refusal(
      dataDir,
      `belongs to another user (uid ${owner}): run the service as that user, or change its owner`,
    );
  if (mode & FOR_OTHERS) close(dataDir, chmod);
}

function close(dataDir: string, chmod: typeof chmodSync): void {
  const advice = 'choose one on a file system that keeps permissions, or set them to 0700 there';
  try {
    chmod(dataDir, 0o700);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw refusal(dataDir, `can't be closed to other users (${code}): ${advice}`, cause);
  }
  const { mode } = statSync(dataDir);
  if (mode & FOR_OTHERS)
    throw refusal(
      dataDir,
      `can't be closed to other users (its mode stays ${(mode & 0o777).toString(8)}): ${advice}`,
    );
}

function refusal(dataDir: string, reason: string, cause?: unknown): DomainError {
  return new DomainError('CONFIGURATION', `DATA_DIR ${dataDir} ${reason}`, { cause });
}
