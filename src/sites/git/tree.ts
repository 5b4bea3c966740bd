import { limits } from '../../contract/task.ts';
import { DomainError } from '../../errors.ts';
import type { Tree, TreeEntry } from './repository.ts';
import { gitFailure } from './failure.ts';
import type { Clone, SiteLimits } from './clone.ts';
import type { Store } from './store.ts';
import { readEntries } from './treeEntries.ts';

const symlink = '120000';
const submodule = '160000';

/**
 * Reads the files of a commit (or tree object) below the site's root. `id` must be here already.
 * @throws DomainError GIT_FAILED if the commit or the folder is not there, LIMIT_EXCEEDED over the clone's `siteLimits`
 */
export async function readTree({ store, root, siteLimits }: Clone, id: string): Promise<Tree> {
  const result = await store.tryGit({ args: ['ls-tree', '-r', '-z', '--long', '--full-tree', `${id}:${root}`] });
  if (result.code !== 0 && root !== '' && /Not a valid object name|not a tree object/i.test(result.stderr))
    throw new DomainError('GIT_FAILED', `Folder ${root} not found in the repository`);
  if (result.code !== 0) throw gitFailure('Reading the files of a commit', result);
  const entries = new Map((await readEntries(result.stdout)).map((entry) => [entry.path, entry]));
  checkSize(entries, siteLimits);
  return { commit: id, entries, read: (path) => readText(store, entries.get(path), path) };
}

function checkSize(entries: ReadonlyMap<string, TreeEntry>, { siteFiles, siteBytes }: SiteLimits) {
  if (entries.size > siteFiles)
    throw new DomainError('LIMIT_EXCEEDED', `The site has ${entries.size} files, at most ${siteFiles} are supported`);
  let bytes = 0;
  for (const { size } of entries.values()) bytes += size;
  if (bytes > siteBytes)
    throw new DomainError(
      'LIMIT_EXCEEDED',
      `The site's files are larger than ${Math.floor(siteBytes / 1024 ** 2)} MiB`,
    );
}

async function readText(store: Store, entry: TreeEntry | undefined, path: string): Promise<string> {
  if (!entry || entry.mode === submodule) throw new DomainError('NOT_FOUND', `File not found: ${path}`);
  if (entry.mode === symlink) throw new DomainError('PAGE_UNREADABLE', `${path} is a symbolic link`);
  if (entry.size > limits.fileBytes)
    throw new DomainError('LIMIT_EXCEEDED', `${path} is over ${limits.fileBytes / 1024 ** 2} MiB`);
  const bytes = await store.blobs.read(entry.id);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new DomainError('PAGE_UNREADABLE', `${path} is not UTF-8 text`);
  }
}
