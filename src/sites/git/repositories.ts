import { join } from 'node:path';
import { limits } from '../../contract/task.ts';
import type { GitCredential, OpenableSite } from '../../contract/site.ts';
import type { Access, AllowedAddresses } from './access.ts';
import { type Connect, createConnect } from './connect.ts';
import { look, mayPush } from './remoteBranches.ts';
import { type TellProblem, watchProblems } from './siteProblems.ts';
import type { Repositories, Repository } from './repository.ts';
import { type CopyUses, createCopyUses } from './copyUses.ts';
import { maintain } from './maintain.ts';
import { createOrigins } from './copyOrigins.ts';
import { createOwnRefs, hasBases } from './ownRefs.ts';
import { copiesIn, createQuota } from './copiesQuota.ts';
import { defined } from '../../contract/defined.ts';
import { createGit } from './git.ts';
import { refuseCheckedOut } from './checkedOutBranch.ts';
import type { Launcher } from './launcher/launcher.ts';
import { checkBranch, checkId, checkRoot } from './refNames.ts';
import { createRepository } from './siteRepository.ts';
import { createKnownTrees } from './knownTrees.ts';
import { createStore, type Store, withFolder } from './store.ts';
import { createBlobWriter } from './blobWriter.ts';
import type { Clone, SiteLimits } from './clone.ts';
import { createFairQueue } from '../../fairQueue.ts';
import { sweep } from './sweepCopies.ts';
import { createUsage } from './diskUsage.ts';
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
  /** The ids of all sites. Default: copies of unregistered sites are not removed. */
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
 * `<dataDir>/repositories/<siteId>.git`, made on first use. Only one process may use a data folder
 * at a time.
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
  const objectsOf = (siteId: string) => join(folder, `${siteId}.git/objects`);
  const uses = createCopyUses();
  const { known, localOf } = createLocals({ git, folder, swept, uses });
  const quota = createQuota({
    folder,
    bytes: options.copiesBytes ?? unlimited,
    lastUse: uses.last,
    ...defined({ idle: options.idle }),
    remove: async (siteId) =>
      !(await hasBases(localOf(siteId).store)) && uses.remove(siteId, () => remove(siteId)),
  });
  // the next growth, or the next round of upkeep, tries again
  const onGrowth = () => void quota.keep().catch(() => undefined);
  const usage = createUsage({ organizationBytes, sitesOf, objectsOf, onGrowth });
  const fetching = {
    queue: createFairQueue(fetchesAtOnce),
    usage,
    pace: options.pace ?? usualPace,
  };

  const remove = (siteId: string) =>
    localOf(siteId)
      .store.remove()
      .then(() => usage.forget(siteId));
  const removeNow = (siteId: string) => remove(siteId).finally(() => uses.removed(siteId));
  const dirOf = (siteId: string) => localOf(siteId).store.dir;
  const origins = createOrigins({ dirOf, withFolder: withTemporary, remove: removeNow });
  const cloneOf = (site: OpenableSite, access = accessOf(site, options.openCredential)): Clone => ({
    ...localOf(site.siteId),
    ...placeOf(site, access),
    connect,
    fetching,
    siteLimits: { ...limits, ...options.siteLimits },
    trees: trees.of(
      [site.siteId, uses.generation(site.siteId), site.repository.url, site.repository.root].join(
        ' ',
      ),
    ),
  });

  return {
    open(site, access) {
      const origin = originOf(site);
      const claim: Connect = (remote, run) =>
        origins.claim(origin).then(() => connect(remote, run));
      const clone = { ...cloneOf(site, access), connect: claim };
      const repository = watched(site, createRepository(clone), !access && options.onProblem);
      return uses.track(site.siteId, origins.keepApart(origin, repository));
    },
    look: (site, access, signal) => look(git, cloneOf(site, access), signal),
    mayPush: (site, access, commit, signal) => mayPush(cloneOf(site, access), commit, signal),
    // No origin check: these functions push no commits, and upkeep may have an outdated address.
    ownRefs: (site) => createOwnRefs(git, cloneOf(site)),
    copies: () => copiesIn(folder),
    lastUse: uses.last,
    maintain: (siteId, signal) =>
      maintain(localOf(siteId).store, () => usage.changed(siteId), signal),
    keepWithinQuota: () => quota.keep(),
    checkPushable: ({ url, branch }) => refuseCheckedOut(git, { url, branch }),
    remove: removeNow,
    async discard(siteId) {
      await remove(siteId);
      known.delete(siteId);
      origins.forget(siteId);
      uses.forget(siteId);
    },
    async close() {
      await git.close();
      await swept.catch(() => {}); // after that, another process may use the folder
      await Promise.all([...known.values()].map(({ store }) => store.objects.close()));
    },
  };
}

/** The local copies by site, each made on first use. */
function createLocals({
  uses,
  ...place
}: Omit<Parameters<typeof createStore>[0], 'siteId'> & { uses: CopyUses }) {
  const copying = createFairQueue(copyingAtOnce);
  const known = new Map<string, Pick<Clone, 'store' | 'writeBlob'>>();
  const make = (siteId: string) => {
    const store = countReads(uses, siteId, createStore({ ...place, siteId: checkId(siteId) }));
    return { store, writeBlob: createBlobWriter(store, siteId, copying) };
  };
  const localOf = (siteId: string) => {
    const local = known.get(siteId) ?? make(siteId);
    known.set(siteId, local);
    return local;
  };
  return { known, localOf };
}

const originOf = ({ siteId, repository: { url } }: OpenableSite) => ({ siteId, url });

/** Counts each reading of a file as a use of the copy: files may be read long after their tree. */
const countReads = (uses: CopyUses, siteId: string, store: Store): Store => ({
  ...store,
  objects: {
    ...store.objects,
    ...uses.track(siteId, { read: (id: string) => store.objects.read(id) }),
  },
});

const watched = (
  site: OpenableSite,
  repository: Repository,
  tell: TellProblem | undefined | false,
) => (tell ? watchProblems(site, repository, tell) : repository);

/** @param url the repository's: a GitHub App gets a token for it */
type OpenCredential = (credentialId: string, url: string) => Promise<GitCredential>;

const unlimited = () => Promise.resolve(Infinity);

function placeOf({ siteId, organizationId, repository }: OpenableSite, access: Access | undefined) {
  const { url, branch, root } = repository;
  const remote = { url, branch: checkBranch(branch), ...defined({ access }) };
  return { owned: { siteId, organizationId }, remote, root: checkRoot(root) };
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
