import { join } from 'node:path';
import { limits } from '../../contract/task.ts';
import type { GitCredential, OpenableSite } from '../../contract/site.ts';
import type { RemoteAccess, AllowedAddresses } from './remote/remoteAccess.ts';
import { type RemoteConnector, createConnector } from './remote/connector.ts';
import { listBranches, checkPushAccess } from './remote/remoteBranches.ts';
import { type ProblemReporter, watchProblems } from './remote/watchProblems.ts';
import type { GitRepositories } from './repository.ts';
import { maintainClone } from './clones/maintainClone.ts';
import { createOwnRefs, hasBaseRefs } from './remote/ownRefs.ts';
import { listClones, cloneName, siteOfClone } from './clones/cloneName.ts';
import { createCloneQuota } from './clones/cloneQuota.ts';
import { withoutUndefined } from '../../contract/withoutUndefined.ts';
import { createGit } from './command/git.ts';
import { refuseCheckedOut } from './remote/checkedOutBranch.ts';
import type { CommandLauncher } from './launcher/launcher.ts';
import { checkBranch, checkRoot } from './refNames.ts';
import { createGitRepository } from './gitRepository.ts';
import { createDataFileOpener, type DataFileThreads } from './trees/siteDataFiles.ts';
import { createTreeCache } from './trees/treeCache.ts';
import { createCloneStore, type CloneStore, withTemporaryFolder } from './clones/cloneStore.ts';
import { createBlobWriter } from './clones/blobWriter.ts';
import type { SiteClone, SiteLimits } from './siteClone.ts';
import { createFairQueue } from '../../fairQueue.ts';
import { removeStaleClones } from './clones/removeStaleClones.ts';
import { createCloneSizes } from './clones/cloneSizes.ts';
import { type ThroughputLimit, defaultThroughput } from './remote/throughput.ts';

/*
 * Git for all sites. A site's repository is at its remote, such as GitHub. Each process keeps a
 * clone of every site that it uses: a bare repository in
 * `<dataDir>/repositories/<siteId>-<digest of the repository's URL>.git`, made on first use.
 *
 *   const repositories = createRepositories({ dataDir, launcher: createLauncher() });
 *   const repository = repositories.open(site);
 *   const head = await repository.fetchHead(); // the id of production's latest commit, '3f2a…'
 *   const tree = await repository.tree({ commit: head, heldBy: null });
 *   await tree.read('about.html'); // '<!doctype html>…'
 *
 * `repository.ts` describes what callers can do, and `gitRepository.ts` does it for one site.
 * - `clones/`: creates, locks, reads, measures and removes the clones on this disk
 * - `remote/`: fetches, pushes, credentials, and the service's own refs at the remote
 * - `commits/`: writes the commits of tasks, merges them and publishes them
 * - `history/` and `trees/`: read commits and logs; read and write the files of a commit
 * - `command/` and `launcher/`: run the git program, with safe settings, in a separate process
 */

/**
 * Fetches at the same time, in total and per organization. Each may need 300 MB for a malicious
 * repository.
 */
const fetchesAtOnce = { what: 'a fetch', places: 8, perCaller: 3 };

/**
 * Large blobs that git unpacks at the same time, in total and per site. Each may need some hundred
 * MB if it is a delta.
 */
const copyingAtOnce = { what: 'a turn to copy a file', places: 2, perCaller: 1 };

interface RepositoriesOptions {
  /** Absolute path. */
  dataDir: string;
  /** Starts git. */
  launcher: CommandLauncher;
  /** Size and shape limits of a site. Default: the service's limits. */
  siteLimits?: Partial<SiteLimits>;
  /** Most bytes of all clones of an organization's sites. Default: no limit. */
  organizationBytes?: number;
  /** The ids of an organization's registered sites. Default: only the fetched site counts. */
  sitesOf?: (organizationId: string) => Promise<string[]>;
  /** The minimum throughput of remotes. Default: 16 KiB per second after the first minute. */
  minThroughput?: ThroughputLimit;
  /**
   * The names of all registered sites' clones, see `cloneName`. At the start, other clones are
   * removed. Default: none is removed.
   */
  registered?: () => Promise<string[]>;
  /** Returns the addresses that may be dialled for repositories added over HTTP. Default: none. */
  allowed?: AllowedAddresses;
  /** The threads that parse data files. Default: no entries of data files are pages. */
  dataFiles?: DataFileThreads;
  /** Reads a credential's secret. */
  openCredential?: OpenCredential;
  /** Called when the remote of a registered site fails, and again when it works. */
  onProblem?: ProblemReporter;
  /**
   * Most bytes of all clones; above it, the least recently used ones are removed. Default: no
   * limit.
   */
  maxClonesBytes?: () => Promise<number>;
  /** Milliseconds that the quota leaves a clone alone after its last use. Default: 10 minutes. */
  idle?: number;
}

/** Opens the sites' clones in a data folder. Only one process may use a data folder at a time. */
export function createRepositories(options: RepositoriesOptions): GitRepositories {
  const folder = join(options.dataDir, 'repositories');
  const git = createGit({ launcher: options.launcher, certificatesFolder: folder });
  const folderReady = removeStaleClones(folder, options.registered);
  folderReady.catch(() => {}); // callers that need the folder get the error
  const withOwnFolder = <T>(work: (temporary: string) => Promise<T>) =>
    folderReady.then(() => withTemporaryFolder(join(folder, 'tmp'), work));
  const connect = createConnector({ git, withFolder: withOwnFolder, allowed: options.allowed });
  const { organizationBytes = Infinity, sitesOf = () => Promise.resolve([]) } = options;
  /** When each clone was last used, in milliseconds since 1970. */
  const lastUses = new Map<string, number>();
  const recordUse = (name: string) => void lastUses.set(name, Date.now());
  const lastUse = (name: string) => lastUses.get(name) ?? 0;
  const { clonesByName, localOf } = createLocalClones({ git, folder, folderReady, use: recordUse });
  const openTrees = createTreeOpener(options.dataFiles);
  const sizes = createCloneSizes({ folder, organizationBytes, sitesOf });
  const quota = createCloneQuota({
    folder,
    bytes: options.maxClonesBytes ?? unlimited,
    sizes,
    lastUse,
    ...withoutUndefined({ idle: options.idle }),
    remove: async (name, idle) =>
      !(await hasBaseRefs(localOf(name).store)) && removeUnused(name, idle),
  });
  const fetchContext = {
    queue: createFairQueue(fetchesAtOnce),
    sizes,
    // if it fails, the next growth of a clone, or the next round of maintenance, tries again
    onGrowth: () => void quota.keep().catch(() => undefined),
    minThroughput: options.minThroughput ?? defaultThroughput,
  };

  async function removeClone(name: string, mayRemove?: () => boolean): Promise<boolean> {
    const isGone = await localOf(name).store.remove(mayRemove);
    sizes.changed(name);
    return isGone;
  }
  const removeUnused = (name: string, idle: number) =>
    removeClone(name, () => lastUse(name) <= Date.now() - idle);
  async function removeClones(siteId: string): Promise<string[]> {
    const allNames = new Set([...clonesByName.keys(), ...(await listClones(folder))]);
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
      fetchContext,
      siteLimits: { ...limits, ...options.siteLimits },
      ...openTrees(site, `${name} ${localOf(name).store.removals()}`),
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
    listBranches: (site, access, signal) => listBranches(git, openClone(site, access), signal),
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
    async forget(siteId) {
      for (const name of await removeClones(siteId))
        for (const map of [clonesByName, lastUses]) map.delete(name);
    },
    async close() {
      await git.close();
      await folderReady.catch(() => {}); // after that, another process may use the folder
      await Promise.all([...clonesByName.values()].map(({ store }) => store.objects.close()));
    },
  };
}

/** Makes the function that opens the cached trees of a site, and finds its data files. */
function createTreeOpener(threads: DataFileThreads | undefined) {
  const trees = createTreeCache();
  const openDataFiles = createDataFileOpener(threads);
  return (site: OpenableSite, cloneKey: string): Pick<SiteClone, 'trees' | 'dataFiles'> => {
    const dataFiles = openDataFiles(site);
    const key = [cloneKey, site.repository.root, ...dataFiles.paths].join(' ');
    return { dataFiles, trees: trees.of(key) };
  };
}

/** Calls `onEnd` after each connection to the remote: it may have lasted, and changed the clone. */
const countConnections =
  (connect: RemoteConnector, onEnd: () => void): RemoteConnector =>
  (remote, run) =>
    connect(remote, run).finally(onEnd);

/** The clones in use by name, each opened on first use. */
function createLocalClones({
  use,
  ...storeOptions
}: Omit<Parameters<typeof createCloneStore>[0], 'name'> & { use: (name: string) => void }) {
  const copyQueue = createFairQueue(copyingAtOnce);
  const clonesByName = new Map<string, Pick<SiteClone, 'store' | 'writeBlob'>>();
  const makeLocalClone = (name: string) => {
    const store = countReads(createCloneStore({ ...storeOptions, name }), () => use(name));
    return { store, writeBlob: createBlobWriter(store, siteOfClone(name), copyQueue) };
  };
  const localOf = (name: string) => {
    const localClone = clonesByName.get(name) ?? makeLocalClone(name);
    clonesByName.set(name, localClone);
    return localClone;
  };
  return { clonesByName, localOf };
}

/** Counts each reading of a file as a use of the clone: files may be read long after their tree. */
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

/** @param url the repository's URL, for which a GitHub App gets a token */
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
 * The access that was stored when the repository was added; undefined if git uses the operator's
 * own settings.
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
