import { accessSync, chmodSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import { DomainError } from '../errors.ts';
import { foreignFileIn } from './dataFolderLock.ts';

const OTHERS_MODE = 0o077;
const STICKY_BIT = 0o1000;

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
    const wantedFolder =
      code === 'ENAMETOOLONG' ? 'a shorter path' : 'a folder which this user can write to';
    throw folderError(dataDir, `can't be used (${code}): choose ${wantedFolder}`, cause);
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
 * Denies other users access to a data folder, since it contains keys and secrets. Refuses a folder
 * with files of other programs, since an operator may have named `/tmp` by mistake.
 * @param system this user's id, and the function that sets a folder's mode; replaced in tests
 * @throws DomainError CONFIGURATION if the folder has other files, is shared by all users, belongs
 *   to another user, or stays accessible to others
 */
export function closeFolder(
  dataDir: string,
  { uid: userId = process.getuid?.(), chmod = chmodSync } = {},
): void {
  const foreignFile = foreignFileIn(dataDir);
  if (foreignFile !== undefined)
    throw folderError(
      dataDir,
      `contains files of other programs (${foreignFile}): choose a new folder`,
    );
  const { mode, uid: ownerId } = statSync(dataDir);
  if (mode & STICKY_BIT)
    throw folderError(dataDir, 'is shared by all users: choose a folder inside it');
  if (userId !== undefined && ownerId !== userId)
    throw folderError(
      dataDir,
      `belongs to another user (uid ${ownerId}): run the service as that user, or change its owner`,
    );
  if (mode & OTHERS_MODE) denyOthers(dataDir, chmod);
}

function denyOthers(dataDir: string, chmod: typeof chmodSync): void {
  const advice = 'choose one on a file system that keeps permissions, or set them to 0700 there';
  try {
    chmod(dataDir, 0o700);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw folderError(dataDir, `can't be closed to other users (${code}): ${advice}`, cause);
  }
  const { mode } = statSync(dataDir);
  if (mode & OTHERS_MODE)
    throw folderError(
      dataDir,
      `can't be closed to other users (its mode stays ${(mode & 0o777).toString(8)}): ${advice}`,
    );
}

function folderError(dataDir: string, reason: string, cause?: unknown): DomainError {
  return new DomainError('CONFIGURATION', `DATA_DIR ${dataDir} ${reason}`, { cause });
}
