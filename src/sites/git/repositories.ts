import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Semaphore } from 'async-mutex';
import { LRUCache } from 'lru-cache';
import { limits } from '../../contract/task.ts';
import type { Repositories, Tree } from './repository.ts';
import { createGit } from './git.ts';
import { refuseCheckedOut } from './checkedOut.ts';
import type { Launcher } from './launcher/launcher.ts';
import { checkBranch, checkId, checkRoot } from './names.ts';
import { createRepository } from './siteRepository.ts';
import { createStore } from './store.ts';
import { createBlobWriter } from './blobWriter.ts';
import type { Clone, SiteLimits } from './clone.ts';

/** Tree entries that are kept in memory, over all sites. */
const cachedEntries = 400_000;

/** Large blobs that git unpacks at once, over all sites: each may need some hundred MB where it is a delta. */
const blobsAtOnce = 2;

/**
 * The sites' repositories on this machine: one bare repository each, `<dataDir>/repositories/<siteId>.git`, made when
 * it is first needed. One process uses a data folder at a time.
 * @param options.dataDir absolute path
 * @param options.launcher starts git
 * @param options.siteLimits files and bytes of a site; default the service's limits
 */
export function createRepositories(options: {
  dataDir: string;
  launcher: Launcher;
  siteLimits?: SiteLimits;
}): Repositories {
  const folder = join(options.dataDir, 'repositories');
  const git = createGit({ launcher: options.launcher, certificatesFolder: folder });
  const swept = rm(join(folder, 'tmp'), { recursive: true, force: true });
  swept.catch(() => {}); // reported by whoever needs the folder
  const turns = new Semaphore(blobsAtOnce);
  const known = new Map<string, Pick<Clone, 'store' | 'writeBlob'>>();
  const trees = new LRUCache<string, Tree>({
    maxSize: cachedEntries,
    sizeCalculation: ({ entries }) => entries.size + 1,
  });

  const localOf = (siteId: string) => {
    const local = known.get(siteId) ?? make(siteId);
    known.set(siteId, local);
    return local;
  };
  const make = (siteId: string) => {
    const store = createStore({ git, folder, siteId: checkId(siteId), swept });
    return { store, writeBlob: createBlobWriter(store, turns) };
  };

  return {
    open({ siteId, repository }) {
      const { url, branch, root } = repository;
      const remote = { url, branch: checkBranch(branch) };
      const siteLimits = options.siteLimits ?? limits;
      const clone = { ...localOf(siteId), remote, root: checkRoot(root), siteLimits };
      return createRepository(clone, {
        get: (id) => trees.get(`${siteId} ${id} ${root}`),
        set: (id, tree) => trees.set(`${siteId} ${id} ${root}`, tree),
      });
    },
    checkPushable: ({ url, branch }) => refuseCheckedOut(git, { url, branch }),
    remove: (siteId) => localOf(siteId).store.remove(),
    async close() {
      await git.close();
      await Promise.all([...known.values()].map(({ store }) => store.blobs.close()));
    },
  };
}
