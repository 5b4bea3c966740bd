import { mkdir, mkdtemp, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { doesResolve } from '../../../errors.ts';
import { writeFailure } from './looseObject.ts';

/**
 * The files of `git init --bare` (gitrepository-layout(5)), independent of later git versions'
 * default format.
 */
const initialFolders = ['objects/info', 'objects/pack', 'refs/heads'];
const initialFiles = {
  HEAD: 'ref: refs/heads/main\n',
  config: '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n',
};

/**
 * Makes an empty bare repository if there is none. It is built elsewhere and then moved, so that a
 * kill leaves a complete repository or none.
 * @param dir the folder of the repository
 * @param temporary the folder to build it in, on the same file system
 * @throws DomainError GIT_FAILED (retryable) if the disk accepts no more
 */
export async function createBareRepository(dir: string, temporary: string): Promise<void> {
  if (await pathExists(dir)) return;
  try {
    await mkdir(temporary, { recursive: true });
    const newRepository = await mkdtemp(join(temporary, 'init-'));
    for (const folder of initialFolders)
      await mkdir(join(newRepository, folder), { recursive: true });
    for (const [name, content] of Object.entries(initialFiles))
      await writeFile(join(newRepository, name), content);
    await rename(newRepository, dir);
  } catch (error) {
    throw writeFailure(error);
  }
}

export const pathExists = (path: string) => doesResolve(stat(path));
