import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** A ref's whole name, which git allows, and its commit; null removes it. */
export type RefChange = [ref: string, commit: string | null];

/** @returns the changes that git has to make, from the first of them on, for `update-ref --stdin` */
export async function writeRefs(dir: string, changes: RefChange[], signal?: AbortSignal): Promise<string> {
  signal?.throwIfAborted();
  for (const [at, [ref, commit]] of changes.entries())
    if (!(await writeRef(dir, ref, commit))) return changes.slice(at).map(lineOf).join('');
  return '';
}

const lineOf = ([ref, commit]: RefChange) => (commit === null ? `delete ${ref}\n` : `update ${ref} ${commit}\n`);

/**
 * Points a ref at a commit, or with null removes it, as git does (gitrepository-layout(5)): under git's locks, and by
 * moving a whole file to its place. A process of git would take ten times as long.
 * @param dir the repository
 * @returns false, with nothing changed, where git has to do it: somebody else has the lock, or the ref is to go and is
 *   packed
 */
export const writeRef = (dir: string, ref: string, commit: string | null): Promise<boolean> =>
  (commit === null ? remove(dir, ref) : write(join(dir, ref), commit)).catch(() => false);

async function write(file: string, commit: string): Promise<true> {
  await mkdir(dirname(file), { recursive: true });
  return locked(file, `${commit}\n`, (lock) => rename(lock, file));
}

/** Who packs refs has this lock: meanwhile no loose ref becomes a packed one. */
async function remove(dir: string, ref: string): Promise<true> {
  const packed = join(dir, 'packed-refs');
  return locked(packed, '', async (lock) => {
    const known = await readFile(packed, 'utf8').catch(orNothing);
    if (known.includes(` ${ref}\n`)) throw new Error(`${ref} is packed`);
    await rm(join(dir, ref), { force: true });
    await rm(lock);
  });
}

function orNothing(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return '';
  throw error;
}

/** Makes a file's lock with some content, on the disk, for work that moves or removes it. */
async function locked(file: string, content: string, work: (lock: string) => Promise<void>): Promise<true> {
  const lock = `${file}.lock`;
  const handle = await open(lock, 'wx');
  try {
    if (content !== '') {
      await handle.writeFile(content);
      await handle.sync();
    }
    await work(lock);
    return true;
  } catch (error) {
    await rm(lock, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
}
