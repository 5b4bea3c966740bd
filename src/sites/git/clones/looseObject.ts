import { createHash, randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { constants, deflate } from 'node:zlib';
import { DomainError } from '../../../errors.ts';

const compress = promisify<Buffer, { level: number }, Buffer>(deflate);

/**
 * Writes an object into a repository as git does (gitformat-loose(5)): with git's fastest
 * compression, and by moving a complete file to its place. Starting a git process for each object
 * would take ten times as long as writing all of them here.
 * @param dir the repository
 * @returns the object's id
 * @throws DomainError GIT_FAILED (retryable) if the disk accepts no more
 */
export async function writeObject(
  dir: string,
  type: 'blob' | 'tree' | 'commit',
  content: string | Buffer,
): Promise<string> {
  const bytes = Buffer.concat([
    Buffer.from(`${type} ${Buffer.byteLength(content)}\0`),
    Buffer.from(content),
  ]);
  const id = createHash('sha1').update(bytes).digest('hex');
  const folder = join(dir, 'objects', id.slice(0, 2));
  const temporary = join(folder, `tmp_obj_${randomUUID()}`); // gc removes it after a kill
  const compressed = await compress(bytes, { level: constants.Z_BEST_SPEED });
  const writeTemporary = () => writeFile(temporary, compressed, { flag: 'wx', mode: 0o444 });
  try {
    await writeTemporary().catch(async (error: unknown) => {
      if (systemErrorCode(error) !== 'ENOENT') throw error;
      // another object may have created it; if the repository is missing, all later attempts fail
      await mkdir(folder).catch(() => undefined);
      await writeTemporary();
    });
    await rename(temporary, join(folder, id.slice(2)));
  } catch (error) {
    await rm(temporary, { force: true });
    throw writeFailure(error);
  }
  return id;
}

/** What a message says of a disk that takes no more data. */
export const DISK_PROBLEM = 'the disk is full or locked';

const systemErrorCode = (error: unknown) => (error as NodeJS.ErrnoException).code;

/** The error for a failed write to a repository, which a retry may solve. */
export function writeFailure(error: unknown): DomainError {
  const isFull = ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(systemErrorCode(error) ?? '');
  const description = isFull ? DISK_PROBLEM : `the system reported ${systemErrorCode(error)}`;
  return new DomainError('GIT_FAILED', `Writing to the repository failed: ${description}`, {
    retryable: true,
    cause: error,
  });
}
