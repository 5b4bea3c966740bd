import { join } from 'node:path';
import { limits } from '../../contract/task.ts';
import type { GitCredential, OpenableSite } from '../../contract/site.ts';
import type { RemoteAccess, AllowedAddresses } from './remote/remoteAccess.ts';
import { type RemoteConnector, createConnector } from './remote/connector.ts';
import { listRemoteBranches, checkPushAccess } from './remote/remoteBranches.ts';
import { type ProblemReporter, watchProblems } from './remote/watchProblems.ts';
import type { GitRepositories } from './repository.ts';
import { maintainClone } from './clones/maintainClone.ts';
import { createOwnRefs, hasBases } from './remote/ownRefs.ts';
import { listClones, cloneName, siteOfClone } from './clones/cloneName.ts';
import { createCloneQuota } from './clones/cloneQuota.ts';
import { withoutUndefined } from '../../contract/withoutUndefined.ts';
import { createGit } from './command/git.ts';
import { refuseCheckedOut } from './remote/checkedOutBranch.ts';
import type { CommandLauncher } from './launcher/launcher.ts';
import { checkBranch, checkRoot } from './refNames.ts';
import { createGitRepository } from './gitRepository.ts';
import { createTreeCache } from './trees/treeCache.ts';
import { createCloneStore, type CloneStore, withTemporaryFolder } from './clones/cloneStore.ts';
import { createBlobWriter } from './clones/blobWriter.ts';
import type { SiteClone, SiteLimits } from './siteClone.ts';
import { createFairQueue } from '../../fairQueue.ts';
import { removeStaleClones } from './clones/removeStaleClones.ts';
import { createCloneSizes } from './clones/cloneSizes.ts';
import { type ThroughputLimit, defaultThroughput } from './remote/throughput.ts';

/** Fetches at the same time. Each may need 300 MB for a malicious repository. */
const fetchesAtOnce = { what: 'a fetch', places: 8, each: 3 };

/**
 * Large blobs that git unpacks at the same time. Each may need some hundred MB if it is a delta.
 */
const copyingAtOnce = { what: 'a turn to copy a file', places: 2, each: 1 };

interface RepositoriesOptions {
  /** Absolute path. */
  dataDir: string;
  /** Starts git. */
  launcher: CommandLauncher;
  /** Size and shape limits of a site. Default: the service's limits. */
  siteLimits?: Partial<SiteLimits>;
  /** Most bytes of all copies of an organization's sites. Default: no limit. */
  organizationBytes?: number;
  /** The ids of an organization's registered sites. Default: only the fetched site counts. */
  sitesOf?: (organizationId: string) => Promise<string[]>;
  /** How slowly remotes may send. */
  pace?: ThroughputLimit;
  /** The names of all sites' copies. Default: copies of unregistered sites are not removed. */
  registered?: () => Promise<string[]>;
  /** Returns the addresses that may be dialled for repositories added over HTTP. Default: none. */
  allowed?: AllowedAddresses;
  /** Reads a credential's secret. */
  openCredential?: OpenCredential;
  /** Called with problems at remotes of registered sites, and when they are solved. */
  onProblem?: ProblemReporter;
  /**
   * Most bytes of all copies; above it, the least recently used ones are removed. Default: no
   * limit.
   */
  copiesBytes?: () => Promise<number>;
  /** Milliseconds that a copy stays after its last use. */
  idle?: number;
}

/**
 * The sites' repositories on this machine: one bare repository each,
 * `<dataDir>/repositories/<copyName>.git`, made on first use. Only one process may use a data
 * folder at a time.
 */
export function createRepositories(options: RepositoriesOptions): GitRepositories {
  const folder = join(options.dataDir, 'repositories');
  const git = createGit({ launcher: options.launcher, certificatesFolder: folder });
  const sweeping = removeStaleClones(folder, options.registered);
  sweeping.catch(() => {}); // callers that need the folder get the error
  const withOwnFolder = <T>(work: (temporary: string) => Promise<T>) =>
    sweeping.then(() => withTemporaryFolder(join(folder, 'tmp'), work));
  const connect = createConnector({ git, withFolder: withOwnFolder, allowed: options.allowed });
  const trees = createTreeCache();
  const { organizationBytes = Infinity, sitesOf = () => Promise.resolve([]) } = options;
  /** When each copy was last used, in milliseconds since 1970. */
  const lastUses = new Map<string, number>();
  const recordUse = (name: string) => void lastUses.set(name, Date.now());
  const lastUse = (name: string) => lastUses.get(name) ?? 0;
  const { known, localOf } = createLocalClones({ git, folder, swept: sweeping, use: recordUse });
  const sizes = createCloneSizes({ folder, organizationBytes, sitesOf });
  const quota = createCloneQuota({
    folder,
    bytes: options.copiesBytes ?? unlimited,
    sizes,
    lastUse,
    ...withoutUndefined({ idle: options.idle }),
    remove: async (name, idle) =>
      !(await hasBases(localOf(name).store)) && removeUnused(name, idle),
  });
  const fetching = {
    queue: createFairQueue(fetchesAtOnce),
    sizes,
    // the next growth, or the next round of upkeep, tries again
    onGrowth: () => void quota.keep().catch(() => undefined),
    pace: options.pace ?? defaultThroughput,
  };

  async function removeClone(name: string, mayRemove?: () => boolean): Promise<boolean> {
    const isGone = await localOf(name).store.remove(mayRemove);
    sizes.changed(name);
    return isGone;
  }
  const removeUnused = (name: string, idle: number) =>
    removeClone(name, () => lastUse(name) <= Date.now() - idle);
  async function removeClones(siteId: string): Promise<string[]> {
    const allNames = new Set([...known.keys(), ...(await listClones(folder))]);
    const names = [...allNames].filter((name) => siteOfClone(name) === siteId);
    for (const name of names) await removeClone(name);
    return names;
  }

  const maintain = (name: string, signal?: AbortSignal) =>
    maintainClone(localOf(name).store, () => sizes.changed(name), signal);

  function openClone(
    site: OpenableSite,
    access = storedAccess(site, options.openCredential),
  ): SiteClone {
    const name = cloneName(site);
    return {
      ...localOf(name),
      ...siteLocation(site, name, access),
      connect,
      fetching,
      siteLimits: { ...limits, ...options.siteLimits },
      trees: trees.of(`${name} ${localOf(name).store.removals()} ${site.repository.root}`),
    };
  }

  return {
    open(site, access) {
      const clone = openClone(site, access);
      const { name } = clone.owned;
      recordUse(name);
      const connectAndCount = countConnections(connect, () => {
        recordUse(name);
        sizes.changed(name);
      });
      const repository = createGitRepository({ ...clone, connect: connectAndCount });
      return options.onProblem && !access
        ? watchProblems(site, repository, options.onProblem)
        : repository;
    },
    look: (site, access, signal) => listRemoteBranches(git, openClone(site, access), signal),
    mayPush: (site, access, commit, signal) =>
      checkPushAccess(openClone(site, access), commit, signal),
    ownRefs: (site) => createOwnRefs(git, openClone(site)),
    clones: () => listClones(folder),
    lastUse: (site) => lastUse(cloneName(site)),
    maintain: (site, signal) => maintain(cloneName(site), signal),
    keepWithinQuota: () => quota.keep(),
    checkPushable: ({ url, branch }) => refuseCheckedOut(git, { url, branch }),
    removeUnused,
    remove: async (siteId) => void (await removeClones(siteId)),
    async discard(siteId) {
      for (const name of await removeClones(siteId))
        for (const map of [known, lastUses]) map.delete(name);
    },
    async close() {
      await git.close();
      await sweeping.catch(() => {}); // after that, another process may use the folder
      await Promise.all([...known.values()].map(({ store }) => store.objects.close()));
    },
  };
}

/** What talks to the remote may take long, and change the copy's size. */
const countConnections =
  (connect: RemoteConnector, onEnd: () => void): RemoteConnector =>
  (remote, run) =>
    connect(remote, run).finally(onEnd);

/** The local copies by name, each made on first use. */
function createLocalClones({
  use,
  ...storeOptions
}: Omit<Parameters<typeof createCloneStore>[0], 'name'> & { use: (name: string) => void }) {
  const copyQueue = createFairQueue(copyingAtOnce);
  const known = new Map<string, Pick<SiteClone, 'store' | 'writeBlob'>>();
  const makeLocalClone = (name: string) => {
    const store = countReads(createCloneStore({ ...storeOptions, name }), () => use(name));
    return { store, writeBlob: createBlobWriter(store, siteOfClone(name), copyQueue) };
  };
  const localOf = (name: string) => {
    const localClone = known.get(name) ?? makeLocalClone(name);
    known.set(name, localClone);
    return localClone;
  };
  return { known, localOf };
}

/** Counts each reading of a file as a use of the copy: files may be read long after their tree. */
const countReads = (store: CloneStore, use: () => void): CloneStore => ({
  ...store,
  objects: {
    ...store.objects,
    async read(id) {
      use();
      return store.objects.read(id);
    },
  },
});

/** @param url the repository's: a GitHub App gets a token for it */
type OpenCredential = (credentialId: string, url: string) => Promise<GitCredential>;

const unlimited = () => Promise.resolve(Infinity);

function siteLocation(
  { siteId, organizationId, repository }: OpenableSite,
  name: string,
  access: RemoteAccess | undefined,
) {
  const { url, branch, root } = repository;
  const remote = { url, branch: checkBranch(branch), ...withoutUndefined({ access }) };
  return { owned: { name, siteId, organizationId }, remote, root: checkRoot(root) };
}

/**
 * The access that was stored when the repository was added; undefined: the operator's git settings.
 */
function storedAccess(
  { repository }: OpenableSite,
  openCredential: OpenCredential | undefined,
): RemoteAccess | undefined {
  const { url, isGuarded = false, credential, knownHosts = '' } = repository;
  if (!isGuarded && !credential) return undefined;
  const readCredential = async () =>
    credential && openCredential ? openCredential(credential.credentialId, url) : null;
  return { isGuarded, credential: readCredential, knownHosts };
}
