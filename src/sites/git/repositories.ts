import { join } from 'node:path';
import { limits } from '../../contract/task.ts';
import type { GitCredential, OpenableSite } from '../../contract/site.ts';
import type { Access, AllowedAddresses } from './access.ts';
import { type Connect, createConnect } from './connect.ts';
import { look, mayPush } from './remoteBranches.ts';
import { type TellProblem, watchProblems } from './siteProblems.ts';
import type { Repositories } from './repository.ts';
import { maintain } from './maintain.ts';
import { createOwnRefs, hasBases } from './ownRefs.ts';
import { copiesIn, copyName, siteOfCopy } from './copyName.ts';
import { createQuota } from './copiesQuota.ts';
import { defined } from '../../contract/defined.ts';
import { createGit } from './git.ts';
import { refuseCheckedOut } from './checkedOutBranch.ts';
import type { Launcher } from './launcher/launcher.ts';
import { checkBranch, checkRoot } from './refNames.ts';
import { createRepository } from './siteRepository.ts';
import { createKnownTrees } from './knownTrees.ts';
import { createStore, type Store, withFolder } from './store.ts';
import { createBlobWriter } from './blobWriter.ts';
import type { Clone, SiteLimits } from './clone.ts';
import { createFairQueue } from '../../fairQueue.ts';
import { sweep } from './sweepCopies.ts';
import { createSizes } from './diskUsage.ts';
import { type Pace, usualPace } from './pace.ts';

/** Fetches at the same time. Each may need 300 MB for a malicious repository. */
const fetchesAtOnce = { what: 'a fetch', places: 8, each: 3 };

/**
 * Large blobs that git unpacks at the same time. Each may need some hundred MB if it is a delta.
 */
const copyingAtOnce = { what: 'a turn to copy a file', places: 2, each: 1 };

interface Options {
  /** Absolute path. */
  dataDir: string;
  /** Starts git. */
  launcher: Launcher;
  /** Size and shape limits of a site. Default: the service's limits. */
  siteLimits?: Partial<SiteLimits>;
  /** Most bytes of all copies of an organization's sites. Default: no limit. */
  organizationBytes?: number;
  /** The ids of an organization's registered sites. Default: only the fetched site counts. */
  sitesOf?: (organizationId: string) => Promise<string[]>;
  /** How slowly remotes may send. */
  pace?: Pace;
  /** The names of all sites' copies. Default: copies of unregistered sites are not removed. */
  registered?: () => Promise<string[]>;
  /** Returns the addresses that may be dialled for repositories added over HTTP. Default: none. */
  allowed?: AllowedAddresses;
  /** Reads a credential's secret. */
  openCredential?: OpenCredential;
  /** Called with problems at remotes of registered sites, and when they are solved. */
  onProblem?: TellProblem;
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
export function createRepositories(options: Options): Repositories {
  const folder = join(options.dataDir, 'repositories');
  const git = createGit({ launcher: options.launcher, certificatesFolder: folder });
  const swept = sweep(folder, options.registered);
  swept.catch(() => {}); // callers that need the folder get the error
  const withTemporary = <T>(work: (own: string) => Promise<T>) =>
    swept.then(() => withFolder(join(folder, 'tmp'), work));
  const connect = createConnect({ git, withFolder: withTemporary, allowed: options.allowed });
  const trees = createKnownTrees();
  const { organizationBytes = Infinity, sitesOf = () => Promise.resolve([]) } = options;
  /** When each copy was last used, in milliseconds since 1970. */
  const uses = new Map<string, number>();
  const use = (name: string) => void uses.set(name, Date.now());
  const lastUse = (name: string) => uses.get(name) ?? 0;
  const { known, localOf } = createLocals({ git, folder, swept, use });
  const sizes = createSizes({ folder, organizationBytes, sitesOf });
  const quota = createQuota({
    folder,
    bytes: options.copiesBytes ?? unlimited,
    sizes,
    lastUse,
    ...defined({ idle: options.idle }),
    remove: async (name, idle) =>
      !(await hasBases(localOf(name).store)) && removeUnused(name, idle),
  });
  const fetching = {
    queue: createFairQueue(fetchesAtOnce),
    sizes,
    // the next growth, or the next round of upkeep, tries again
    onGrowth: () => void quota.keep().catch(() => undefined),
    pace: options.pace ?? usualPace,
  };

  async function removeClone(name: string, mayRemove?: () => boolean): Promise<boolean> {
    const isGone = await localOf(name).store.remove(mayRemove);
    sizes.changed(name);
    return isGone;
  }
  const removeUnused = (name: string, idle: number) =>
    removeClone(name, () => lastUse(name) <= Date.now() - idle);
  const copiesOf = async (siteId: string) =>
    [...new Set([...known.keys(), ...(await copiesIn(folder))])].filter(
      (name) => siteOfCopy(name) === siteId,
    );
  async function removeClones(siteId: string, forget = (_: string): void => undefined) {
    for (const name of await copiesOf(siteId)) {
      await removeClone(name);
      forget(name);
    }
  }

  const cloneOf = (site: OpenableSite, access = accessOf(site, options.openCredential)): Clone => {
    const name = copyName(site);
    const local = localOf(name);
    return {
      ...local,
      ...placeOf(site, name, access),
      connect,
      fetching,
      siteLimits: { ...limits, ...options.siteLimits },
      trees: trees.of(`${name} ${local.store.removals()} ${site.repository.root}`),
    };
  };

  return {
    open(site, access) {
      const clone = cloneOf(site, access);
      const { name } = clone.owned;
      use(name);
      const connectAndCount = countingConnect(connect, () => {
        use(name);
        sizes.changed(name);
      });
      const repository = createRepository({ ...clone, connect: connectAndCount });
      return options.onProblem && !access
        ? watchProblems(site, repository, options.onProblem)
        : repository;
    },
    look: (site, access, signal) => look(git, cloneOf(site, access), signal),
    mayPush: (site, access, commit, signal) => mayPush(cloneOf(site, access), commit, signal),
    ownRefs: (site) => createOwnRefs(git, cloneOf(site)),
    clones: () => copiesIn(folder),
    lastUse: (site) => lastUse(copyName(site)),
    maintain(site, signal) {
      const name = copyName(site);
      return maintain(localOf(name).store, () => sizes.changed(name), signal);
    },
    keepWithinQuota: () => quota.keep(),
    checkPushable: ({ url, branch }) => refuseCheckedOut(git, { url, branch }),
    removeUnused,
    remove: (siteId) => removeClones(siteId),
    discard: (siteId) =>
      removeClones(siteId, (name) => [known, uses].forEach((map) => map.delete(name))),
    async close() {
      await git.close();
      await swept.catch(() => {}); // after that, another process may use the folder
      await Promise.all([...known.values()].map(({ store }) => store.objects.close()));
    },
  };
}

/** What talks to the remote may take long, and change the copy's size. */
const countingConnect =
  (connect: Connect, onEnd: () => void): Connect =>
  (remote, run) =>
    connect(remote, run).finally(onEnd);

/** The local copies by name, each made on first use. */
function createLocals({
  use,
  ...place
}: Omit<Parameters<typeof createStore>[0], 'name'> & { use: (name: string) => void }) {
  const copying = createFairQueue(copyingAtOnce);
  const known = new Map<string, Pick<Clone, 'store' | 'writeBlob'>>();
  const make = (name: string) => {
    const store = countReads(createStore({ ...place, name }), () => use(name));
    return { store, writeBlob: createBlobWriter(store, siteOfCopy(name), copying) };
  };
  const localOf = (name: string) => {
    const local = known.get(name) ?? make(name);
    known.set(name, local);
    return local;
  };
  return { known, localOf };
}

/** Counts each reading of a file as a use of the copy: files may be read long after their tree. */
const countReads = (store: Store, use: () => void): Store => ({
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

function placeOf(
  { siteId, organizationId, repository }: OpenableSite,
  name: string,
  access: Access | undefined,
) {
  const { url, branch, root } = repository;
  const remote = { url, branch: checkBranch(branch), ...defined({ access }) };
  return { owned: { name, siteId, organizationId }, remote, root: checkRoot(root) };
}

/**
 * The access that was stored when the repository was added; undefined: the operator's git settings.
 */
function accessOf(
  { repository }: OpenableSite,
  open: OpenCredential | undefined,
): Access | undefined {
  const { url, isGuarded = false, credential, knownHosts = '' } = repository;
  if (!isGuarded && !credential) return undefined;
  const read = async () => (credential && open ? open(credential.credentialId, url) : null);
  return { isGuarded, credential: read, knownHosts };
}
