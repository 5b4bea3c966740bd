import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, realpathSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { DomainError } from '../errors.ts';

/** Maximum bytes of the path. Systems allow 103 or 107. */
const MAX_SOCKET_PATH = 100;

/**
 * The path of the Unix socket on which the service with this data folder receives commands. The
 * socket is in the folder, or in a temporary folder of this user if its path would be too long.
 * @param dataDir an existing folder. All paths to the folder give the same socket.
 * @throws DomainError CONFIGURATION if the temporary folder can't be used
 */
export function operatorSocketPath(dataDir: string): string {
  const folder = realpathSync(dataDir);
  const pathInside = join(folder, 'operator.sock');
  return fitsSocketPath(pathInside)
    ? pathInside
    : join(temporaryFolder(), `${folderDigest(folder)}.sock`);
}

function fitsSocketPath(path: string): boolean {
  return Buffer.byteLength(path) <= MAX_SOCKET_PATH;
}

/**
 * This user's own folder in the system's temporary folder, to which everybody may write. Refuses a
 * folder that others own or may enter.
 */
function temporaryFolder(): string {
  const { uid } = userInfo();
  const folder = join(tmpdir(), `agent-tasks-${uid}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const folderStats = lstatSync(folder);
  if (!folderStats.isDirectory() || folderStats.uid !== uid)
    throw new DomainError(
      'CONFIGURATION',
      `${folder} must be a folder that belongs to this user. Remove it, or shorten the path of DATA_DIR.`,
    );
  chmodSync(folder, 0o700);
  if (!fitsSocketPath(join(folder, `${folderDigest('')}.sock`)))
    throw new DomainError(
      'CONFIGURATION',
      `The paths of DATA_DIR and of the temporary folder are both too long for a socket. Shorten one of them.`,
    );
  return folder;
}

function folderDigest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 24);
}
