import { mkdir, mkdtemp, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { succeeds } from '../../errors.ts';
import { unwritten } from './looseObject.ts';

/**
 * The files of `git init --bare` (gitrepository-layout(5)), independent of later git versions'
 * default format.
 */
const folders = ['objects/info', 'objects/pack', 'refs/heads'];
const files = {
  HEAD: 'ref: refs/heads/main\n',
  config: '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n',
};

/**
 * Makes an empty bare repository if there is none. It is built elsewhere and then moved, so that a
 * kill leaves a complete repository or none.
 * @throws DomainError GIT_FAILED (retryable) if the disk accepts no more
 */
export async function makeRepository(dir: string, temporary: string): Promise<void> {
  if (await exists(dir)) return;
  try {
    await mkdir(temporary, { recursive: true });
    const fresh = await mkdtemp(join(temporary, 'init-'));
    for (const folder of folders) await mkdir(join(fresh, folder), { recursive: true });
    for (const [name, content] of Object.entries(files))
      await writeFile(join(fresh, name), content);
    await rename(fresh, dir);
  } catch (error) {
    throw unwritten(error);
  }
}

export const exists = (path: string) => succeeds(stat(path));
