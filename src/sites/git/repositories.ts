import { join } from 'node:path';
import { limits } from '../../contract/task.ts';
import type { OpenableSite } from '../../contract/site.ts';
import type { Repositories } from './repository.ts';
import { createCopyUses } from './copyUses.ts';
import { maintain } from './maintain.ts';
import { createOwnRefs, hasBases } from './ownRefs.ts';
import { copiesIn, createQuota } from './quota.ts';
import { defined } from '../../contract/defined.ts';
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
 * @param options.copiesBytes bytes of all copies, beyond which those that were not used for the longest time go; default
 * no limit
 * @param options.idle milliseconds for which a copy stays after its last use
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
  copiesBytes?: () => Promise<number>;
  idle?: number;
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
  const uses = createCopyUses();
  const quota = createQuota({
    ...{ folder, bytes: options.copiesBytes ?? (() => Promise.resolve(Infinity)), lastUse: uses.last },
    ...defined({ idle: options.idle }),
    remove: async (siteId) => !(await hasBases(localOf(siteId).store)) && uses.remove(siteId, () => remove(siteId)),
  });
  const onGrowth = () => void quota.keep().catch(() => undefined); // the next growth, or round of upkeep, tries again
  const usage = createUsage({ organizationBytes, sitesOf, objectsOf, onGrowth });
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

  async function remove(siteId: string): Promise<void> {
    await localOf(siteId).store.remove();
    usage.forget(siteId);
  }
  const cloneOf = ({ siteId, organizationId, repository }: OpenableSite): Clone => {
    const { url, branch, root } = repository;
    const remote = { url, branch: checkBranch(branch) };
    const siteLimits = { ...limits, ...options.siteLimits };
    const owned = { siteId, organizationId };
    return { ...localOf(siteId), owned, fetching, remote, root: checkRoot(root), siteLimits };
  };

  return {
    open(site) {
      const { siteId, repository } = site;
      const known = trees.of(`${siteId} ${uses.generation(siteId)} ${repository.root}`);
      return uses.track(siteId, createRepository(cloneOf(site), known));
    },
    ownRefs: (site) => createOwnRefs(git, cloneOf(site)),
    copies: () => copiesIn(folder),
    lastUse: uses.last,
    async maintain(siteId, signal) {
      if (await maintain(localOf(siteId).store, signal)) usage.changed(siteId);
    },
    keepWithinQuota: () => quota.keep(),
    checkPushable: ({ url, branch }) => refuseCheckedOut(git, { url, branch }),
    remove,
    async close() {
      await git.close();
      await swept.catch(() => {}); // by then another process may have the folder
      await Promise.all([...known.values()].map(({ store }) => store.blobs.close()));
    },
  };
}
