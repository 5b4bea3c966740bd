import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, realpathSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { DomainError } from '../errors.ts';

/** Bytes. Systems take 103 or 107, whatever the path's folder may be. */
const MAX_SOCKET_PATH = 100;

/**
 * The Unix socket of the service that holds this data folder. It is in the folder itself. Where
 * that path is too long, it is in this user's own folder below the temporary one.
 * @param dataDir an existing folder, by whatever path
 * @throws DomainError CONFIGURATION where the temporary folder can't be used either
 */
export function operatorSocketPath(dataDir: string): string {
  const folder = realpathSync(dataDir);
  const inside = join(folder, 'operator.sock');
  return fits(inside) ? inside : join(temporaryFolder(), `${digestOf(folder)}.sock`);
}

function fits(path: string): boolean {
  return Buffer.byteLength(path) <= MAX_SOCKET_PATH;
}

/**
 * Anybody may write to the temporary folder. Only a folder that is ours and closed to others keeps
 * strangers out.
 */
function temporaryFolder(): string {
  const { uid } = userInfo();
  const folder = join(tmpdir(), `agent-tasks-${uid}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = lstatSync(folder);
  if (!found.isDirectory() || found.uid !== uid)
    throw new DomainError(
      'CONFIGURATION',
      `${folder} must be a folder of this user's: remove it, or shorten the path of DATA_DIR`,
    );
  chmodSync(folder, 0o700);
  if (!fits(join(folder, `${digestOf('')}.sock`)))
    throw new DomainError(
      'CONFIGURATION',
      `The paths of DATA_DIR and of the temporary folder are too long for a socket: shorten one`,
    );
  return folder;
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 24);
}
