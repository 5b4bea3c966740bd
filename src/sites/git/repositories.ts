import { join } from 'node:path';
import { limits } from '../../contract/task.ts';
import type { Repositories } from './repository.ts';
import { createGit } from './git.ts';
import { refuseCheckedOut } from './checkedOut.ts';
import type { Launcher } from './launcher/launcher.ts';
import { checkBranch, checkId, checkRoot } from './names.ts';
import { createRepository } from './siteRepository.ts';
import { createKnownTrees } from './knownTrees.ts';
import { createStore } from './store.ts';
import { createBlobWriter } from './blobWriter.ts';
import type { Clone, SiteLimits } from './clone.ts';
import { createTurns } from '../../turns.ts';
import { sweep } from './sweep.ts';
import { createUsage } from './usage.ts';
import { type Pace, usualPace } from './pace.ts';

/** Fetches at the same time. Each may need 300 MB if the repository was made for that. */
const fetchesAtOnce = { what: 'a fetch', places: 8, each: 3 };

/** Large blobs that git unpacks at once. Each may need some hundred MB where it is a delta. */
const copyingAtOnce = { what: 'a turn to copy a file', places: 2, each: 1 };

/**
 * The sites' repositories on this machine: one bare repository each, `<dataDir>/repositories/<siteId>.git`, made when
 * it is first needed. One process uses a data folder at a time.
 * @param options.dataDir absolute path
 * @param options.launcher starts git
 * @param options.siteLimits size and shape of a site; default the service's limits
 * @param options.organizationBytes bytes of all copies of an organization's sites; default no limit
 * @param options.sitesOf the ids of an organization's registered sites; default none, then only the site itself counts
 * @param options.pace how slowly remotes may send
 * @param options.registered the ids of all sites; default: copies of others are not looked for
 */
export function createRepositories(options: {
  dataDir: string;
  launcher: Launcher;
  siteLimits?: Partial<SiteLimits>;
  organizationBytes?: number;
  sitesOf?: (organizationId: string) => Promise<string[]>;
  pace?: Pace;
  registered?: () => Promise<string[]>;
}): Repositories {
  const folder = join(options.dataDir, 'repositories');
  const git = createGit({ launcher: options.launcher, certificatesFolder: folder });
  const swept = sweep(folder, options.registered);
  swept.catch(() => {}); // reported by whoever needs the folder
  const copying = createTurns(copyingAtOnce);
  const known = new Map<string, Pick<Clone, 'store' | 'writeBlob'>>();
  const trees = createKnownTrees();
  const { organizationBytes = Infinity, sitesOf = () => Promise.resolve([]) } = options;
  const objectsOf = (siteId: string) => join(folder, `${siteId}.git/objects`);
  const usage = createUsage({ organizationBytes, sitesOf, objectsOf });
  const fetching = { turns: createTurns(fetchesAtOnce), usage, pace: options.pace ?? usualPace };

  const localOf = (siteId: string) => {
    const local = known.get(siteId) ?? make(siteId);
    known.set(siteId, local);
    return local;
  };
  const make = (siteId: string) => {
    const store = createStore({ git, folder, siteId: checkId(siteId), swept });
    return { store, writeBlob: createBlobWriter(store, siteId, copying) };
  };

  return {
    open({ siteId, organizationId, repository }) {
      const { url, branch, root } = repository;
      const remote = { url, branch: checkBranch(branch) };
      const siteLimits = { ...limits, ...options.siteLimits };
      const owned = { siteId, organizationId };
      const shared = { fetching, trees: trees.of(`${siteId} ${root}`) };
      return createRepository({ ...localOf(siteId), ...shared, owned, remote, root: checkRoot(root), siteLimits });
    },
    checkPushable: ({ url, branch }) => refuseCheckedOut(git, { url, branch }),
    async remove(siteId) {
      await localOf(siteId).store.remove();
      fetching.usage.forget(siteId);
    },
    async close() {
      await git.close();
      await swept.catch(() => {}); // by then another process may have the folder
      await Promise.all([...known.values()].map(({ store }) => store.objects.close()));
    },
  };
}
