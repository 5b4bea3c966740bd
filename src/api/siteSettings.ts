import { randomUUID } from 'node:crypto';
import { defined } from '../contract/defined.ts';
import type { Credential, CredentialKind, Site, SiteCredential, SiteRepository } from '../contract/site.ts';
import { withoutEnd } from '../contract/text.ts';
import { DomainError } from '../errors.ts';
import type { Credentials, NewToken } from '../organizations/credentials.ts';
import type { Sites } from '../organizations/sites.ts';
import type { Access } from '../sites/git/access.ts';
import { placeOf } from '../sites/git/access.ts';
import { unreadable } from '../sites/git/head.ts';
import { checkBranch, checkRoot } from '../sites/git/names.ts';
import { checkRepositoryUrl } from '../sites/git/repositoryUrl.ts';
import { type CheckDeps, checkRepository, type RepositoryCheck } from '../sites/pages/checkRepository.ts';
import { hasRepository } from '../sites/git/registered.ts';

/** What lets the service in, as a request gives it. */
export type GivenCredential =
  { type: 'token'; username?: string; token: string } | { type: 'deploy-key'; deployKeyId: string };

/** A repository as a request gives it. */
export interface GivenRepository {
  url: string;
  branch?: string;
  root?: string;
  credential?: GivenCredential | null;
}

export interface SiteSettingsDeps extends CheckDeps {
  sites: Pick<Sites, 'create' | 'get' | 'setRepository' | 'change' | 'remove'>;
  credentials: Pick<Credentials, 'addToken' | 'findDeployKey' | 'open' | 'removeUnused'>;
  hosting: {
    ensureLive(site: Site): Promise<void>;
    deployHead(site: Site): Promise<string>;
  };
  /** Whether tasks of the site run. Fails as UNAVAILABLE. */
  hasRunningTasks(siteId: string): Promise<boolean>;
}

export interface NewSiteRequest {
  name: string;
  repository?: GivenRepository | null;
  author?: Site['author'];
}

/** Absent fields stay. A repository without a URL is the same one; without a credential it keeps what it has. */
export interface SiteChange {
  name?: string;
  author?: Site['author'];
  repository?: Partial<GivenRepository>;
}

/** What admins do to sites over HTTP. */
export interface SiteSettings {
  /** Looks at a repository, and leaves nothing. */
  check(organizationId: string, given: GivenRepository, signal: AbortSignal): Promise<RepositoryCheck>;
  /**
   * Registers a site after a check of its repository, and puts it live. One that can't be used leaves no trace.
   * @throws DomainError CONFLICT that says in words what is wrong, INVALID_INPUT, UNAVAILABLE
   */
  create(organizationId: string, request: NewSiteRequest, signal: AbortSignal): Promise<Site>;
  /** @throws DomainError as `create`; CONFLICT while tasks run that work on another repository */
  change(site: Site, change: SiteChange, signal: AbortSignal): Promise<void>;
  /** Removes all that the service has of a site. Its repository stays as it is. @throws DomainError CONFLICT */
  remove(site: Site): Promise<void>;
}

const CHECK_MS = 4 * 60_000;
/** Taken by hosts that ask for no certain name. */
const USERNAME = 'x-access-token';

/** A repository that is well formed, with what lets the service in. */
interface Candidate extends SiteRepository {
  /** Whether the branch was named, not left to the repository. */
  isNamed: boolean;
  access: Access;
  /** A token that is not kept yet. */
  token?: NewToken;
}

export function createSiteSettings(deps: SiteSettingsDeps): SiteSettings {
  const { sites, credentials, repositories, hosting } = deps;

  /** @throws DomainError INVALID_INPUT, NOT_FOUND */
  async function candidate(organizationId: string, given: GivenRepository, known?: SiteRepository): Promise<Candidate> {
    const url = known && isShown(given.url, known) ? known.url : checkRepositoryUrl(given.url, { allowLocal: false });
    const isSame = url === known?.url;
    const isGuarded = isSame ? known.isGuarded : true;
    const root = checkRoot(withoutEnd((given.root ?? '').replace(/^(\.?\/+|\.$)/, ''), '/'));
    const kept = isSame && given.credential === undefined ? known.credential : undefined;
    const { token, ...own } = await readCredential(organizationId, given.credential);
    const credential = kept ?? own.credential;
    const kind = token ? 'token' : credential?.kind;
    if (isGuarded) refuseMismatch(url, kind);
    const secret = async (): Promise<Credential | null> => {
      if (token) return { kind: 'token', ...token };
      return credential ? credentials.open(credential.credentialId) : null;
    };
    return {
      ...{ url, branch: checkBranch(given.branch ?? 'main'), root, isNamed: given.branch !== undefined },
      ...defined({ isGuarded, credential, token }),
      access: { isGuarded: isGuarded ?? false, credential: secret, knownHosts: '' },
    };
  }

  async function readCredential(
    organizationId: string,
    given: GivenCredential | null | undefined,
  ): Promise<{ credential?: SiteCredential; token?: NewToken }> {
    if (!given) return {};
    if (given.type === 'token') return { token: { username: given.username ?? USERNAME, token: given.token } };
    return { credential: await credentials.findDeployKey(organizationId, given.deployKeyId) };
  }

  /** Checks a candidate in the copy of a site, and finds its branch and its host's keys. */
  async function look(site: { siteId: string; organizationId: string }, wanted: Candidate, signal: AbortSignal) {
    const { url, branch, root, isNamed, access, token, credential } = wanted;
    const found: { knownHosts?: string } = {};
    const asked = {
      ...{ siteId: site.siteId, organizationId: site.organizationId, url, root },
      branch: isNamed ? branch : undefined,
      access: { ...access, onKnownHosts: (lines: string) => (found.knownHosts = lines) },
      credential: token ? ('token' as const) : (credential?.kind ?? null),
    };
    const result = await inTime(signal, (end) => checkRepository(deps, asked, end));
    return { result, ...found };
  }

  /** The repository to keep, with its credential in the database. */
  async function keep(organizationId: string, wanted: Candidate, looked: Awaited<ReturnType<typeof look>>) {
    const { url, root, isGuarded, token } = wanted;
    const credential = token ? await credentials.addToken(organizationId, token) : wanted.credential;
    const branch = looked.result.branch!;
    return { url, branch, root, ...defined({ isGuarded, credential, knownHosts: looked.knownHosts }) };
  }

  const forget = async (repository: SiteRepository | null | undefined) => {
    if (repository?.credential) await credentials.removeUnused(repository.credential.credentialId);
  };

  async function createWith(
    organizationId: string,
    { repository: given, ...request }: NewSiteRequest & { repository: GivenRepository },
    signal: AbortSignal,
  ): Promise<Site> {
    const own = { siteId: randomUUID(), organizationId };
    const wanted = await candidate(organizationId, given);
    let repository: SiteRepository | undefined;
    try {
      const looked = await look(own, wanted, signal);
      refuseProblems(looked.result);
      repository = await keep(organizationId, wanted, looked);
      const site = await sites.create({ ...request, ...own, repository });
      await hosting.ensureLive(site);
      return site;
    } catch (error) {
      await sites.remove(own.siteId);
      if (wanted.token) await forget(repository);
      await repositories.remove(own.siteId);
      throw error;
    }
  }

  /** A repository that is to replace the site's. */
  async function replace(site: Site, change: Partial<GivenRepository>, signal: AbortSignal): Promise<void> {
    const { siteId, organizationId, repository: known } = site;
    const url = change.url ?? known?.url;
    if (url === undefined) throw new DomainError('INVALID_INPUT', 'The repository needs a url');
    const isSame = known !== null && isShown(url, known);
    const before = isSame ? { branch: known?.branch, root: known?.root } : {};
    const wanted = await candidate(organizationId, { ...defined(before), ...change, url }, known ?? undefined);
    const isElsewhere = wanted.url !== known?.url || wanted.branch !== known?.branch || wanted.root !== known?.root;
    if (isElsewhere && known && (await deps.hasRunningTasks(siteId))) throw busy();
    const place = { siteId: randomUUID(), organizationId };
    try {
      const looked = await look(place, wanted, signal);
      refuseProblems(looked.result);
      const repository = await keep(organizationId, wanted, looked);
      await sites.setRepository(siteId, repository);
      if (known?.credential?.credentialId !== repository.credential?.credentialId) await forget(known);
      if (!isElsewhere) return;
      await repositories.remove(siteId);
      await hosting.deployHead(await sites.get(siteId));
    } finally {
      await repositories.remove(place.siteId);
    }
  }

  return {
    async check(organizationId, given, signal) {
      const place = { siteId: randomUUID(), organizationId };
      try {
        return (await look(place, await candidate(organizationId, given), signal)).result;
      } catch (error) {
        if (!(error instanceof DomainError) || !['INVALID_INPUT', 'NOT_FOUND'].includes(error.code)) throw error;
        const code = error.code === 'NOT_FOUND' || error.details?.['of'] === 'credential' ? 'credential' : 'address';
        return unusable({ code, message: `${error.message}.` });
      } finally {
        await repositories.remove(place.siteId);
      }
    },

    async create(organizationId, { repository, ...request }, signal) {
      if (repository) return createWith(organizationId, { ...request, repository }, signal).catch(fail);
      return sites.create({ ...request, organizationId, repository: null });
    },

    async change(site, { repository, ...rest }, signal) {
      if (repository) await replace(site, repository, signal).catch(fail);
      await sites.change(site.siteId, rest);
    },

    async remove(site) {
      const { siteId } = site;
      if (hasRepository(site) && (await deps.hasRunningTasks(siteId))) throw busy();
      await sites.remove(siteId);
      await forget(site.repository);
      await repositories.remove(siteId);
    },
  };
}

function fail(error: unknown): never {
  throw unreadable(error);
}

/** What a client knows of the address of a local repository. */
export const LOCAL = 'local';

/** Whether an address is the one that a client sees of a site's repository. */
const isShown = (url: string, known: SiteRepository) =>
  url === known.url || (url === LOCAL && known.url.startsWith('file:'));

const busy = () => new DomainError('CONFLICT', 'Tasks of this site are running: wait for them, or cancel them');

function refuseProblems({ problems }: RepositoryCheck) {
  if (problems.length > 0) throw new DomainError('CONFLICT', problems.map(({ message }) => message).join(' '));
}

function refuseMismatch(url: string, kind: CredentialKind | undefined) {
  const protocol = placeOf(url)?.protocol;
  const wrong = (message: string) => new DomainError('INVALID_INPUT', message, { details: { of: 'credential' } });
  if (protocol === 'https' && kind === 'deploy-key')
    throw wrong('A deploy key is for an ssh address, such as git@host:team/site.git: give an access token here');
  if (protocol === 'ssh' && kind !== 'deploy-key')
    throw wrong('An ssh address needs a deploy key: make one, or give the https address');
}

const unusable = (problem: RepositoryCheck['problems'][number]): RepositoryCheck => ({
  ...{ ok: false, readable: false, pushable: false, branch: null, branches: [], pages: null, format: null },
  problems: [problem],
});

/** Nobody waits for longer than that, and a repository that sends slowly must not hold a request for ever. */
async function inTime<T>(signal: AbortSignal, work: (end: AbortSignal) => Promise<T>): Promise<T> {
  const late = AbortSignal.timeout(CHECK_MS);
  try {
    return await work(AbortSignal.any([signal, late]));
  } catch (error) {
    signal.throwIfAborted();
    if (!late.aborted) throw error;
    throw new DomainError('UNAVAILABLE', `The repository could not be read within ${CHECK_MS / 60_000} minutes`, {
      retryable: true,
      cause: error,
    });
  }
}
