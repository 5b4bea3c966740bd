import { randomUUID } from 'node:crypto';
import type { Site, SiteRepository } from '../contract/site.ts';
import { DomainError } from '../errors.ts';
import type { Sites } from '../organizations/sites.ts';
import { unreadable } from '../sites/git/productionHead.ts';
import { hasRepository } from '../sites/git/registeredSite.ts';
import type { RepositoryCheck } from '../sites/pages/checkRepository.ts';
import {
  type CandidateDeps,
  type GivenRepository,
  keepCandidate,
  lookAt,
  readCandidate,
} from './candidateRepository.ts';

export interface SiteSettingsDeps extends CandidateDeps {
  sites: Pick<Sites, 'create' | 'get' | 'setRepository' | 'change' | 'remove' | 'undo'>;
  hosting: { ensureLive(site: Site): Promise<void> };
  /** Whether any task of the site is running. Throws UNAVAILABLE. */
  hasRunningTasks(siteId: string): Promise<boolean>;
}

export interface NewSiteRequest {
  name: string;
  repository?: GivenRepository | null;
  author?: Site['author'];
}

/**
 * Changes of a site. Absent fields keep their value. A repository without `url` is the present one.
 * One without `credential` keeps its credential.
 */
export interface SiteChange {
  name?: string;
  author?: Site['author'];
  repository?: Partial<GivenRepository>;
}

/** Operations of admins on sites. */
export interface SiteSettings {
  /** Checks a repository without changing anything. */
  check(
    organizationId: string,
    given: GivenRepository,
    signal: AbortSignal,
  ): Promise<RepositoryCheck>;
  /**
   * Checks a repository, registers a site with it, and puts the site live. If the check fails,
   * nothing is kept.
   * @throws DomainError CONFLICT with an explanation, INVALID_INPUT, UNAVAILABLE
   */
  create(organizationId: string, request: NewSiteRequest, signal: AbortSignal): Promise<Site>;
  /** @throws DomainError as `create`; CONFLICT if the repository changes while tasks run */
  change(site: Site, change: SiteChange, signal: AbortSignal): Promise<void>;
  /**
   * Removes everything that the service stores of a site. Its repository is not changed.
   * @throws DomainError CONFLICT
   */
  remove(site: Site): Promise<void>;
}

export function createSiteSettings(deps: SiteSettingsDeps): SiteSettings {
  const { sites, repositories } = deps;
  return {
    async check(organizationId, given, signal) {
      const place = { siteId: randomUUID(), organizationId };
      try {
        return (await lookAt(deps, place, await readCandidate(deps, organizationId, given), signal))
          .result;
      } catch (error) {
        if (!(error instanceof DomainError) || !['INVALID_INPUT', 'NOT_FOUND'].includes(error.code))
          throw error;
        const code =
          error.code === 'NOT_FOUND' || error.details?.['of'] === 'credential'
            ? 'credential'
            : 'address';
        return unusable({ code, message: `${error.message}.` });
      } finally {
        await repositories.discard(place.siteId);
      }
    },

    async create(organizationId, { repository, ...request }, signal) {
      if (repository)
        return createWith(deps, organizationId, { ...request, repository }, signal).catch(fail);
      return sites.create({ ...request, organizationId, repository: null });
    },

    async change(site, { repository, ...rest }, signal) {
      if (repository) await replaceRepository(deps, site, repository, signal).catch(fail);
      await sites.change(site.siteId, rest);
    },

    async remove(site) {
      const { siteId } = site;
      if (hasRepository(site) && (await deps.hasRunningTasks(siteId))) throw busy();
      await sites.remove(siteId);
      await forget(deps, site.repository);
      await repositories.remove(siteId);
    },
  };
}

async function createWith(
  deps: SiteSettingsDeps,
  organizationId: string,
  { repository: given, ...request }: NewSiteRequest & { repository: GivenRepository },
  signal: AbortSignal,
): Promise<Site> {
  const { sites, repositories, hosting } = deps;
  const own = { siteId: randomUUID(), organizationId };
  const wanted = await readCandidate(deps, organizationId, given);
  let repository: SiteRepository | undefined;
  try {
    const looked = await lookAt(deps, own, wanted, signal);
    refuseProblems(looked.result);
    repository = await keepCandidate(deps, organizationId, wanted, looked);
    const site = await sites.create({ ...request, ...own, repository });
    await hosting.ensureLive(site);
    return site;
  } catch (error) {
    await sites.undo(own.siteId);
    if (wanted.token) await forget(deps, repository);
    await repositories.discard(own.siteId);
    throw error;
  }
}

/** Checks a new repository and replaces the site's with it. */
async function replaceRepository(
  deps: SiteSettingsDeps,
  site: Site,
  change: Partial<GivenRepository>,
  signal: AbortSignal,
): Promise<void> {
  const { sites, repositories, hosting } = deps;
  const { siteId, organizationId, repository: known } = site;
  const url = change.url ?? known?.url;
  if (url === undefined) throw new DomainError('INVALID_INPUT', 'The repository needs a url');
  const wanted = await readCandidate(deps, organizationId, { ...change, url }, known ?? undefined);
  const isElsewhere =
    wanted.url !== known?.url || wanted.branch !== known?.branch || wanted.root !== known?.root;
  if (isElsewhere && !wanted.isGuarded) throw ofOperator();
  const refuseBusy = async () => {
    if (isElsewhere && known && (await deps.hasRunningTasks(siteId))) throw busy();
  };
  await refuseBusy();
  const place = { siteId: randomUUID(), organizationId };
  try {
    const looked = await lookAt(deps, place, wanted, signal);
    refuseProblems(looked.result);
    await refuseBusy(); // the check takes up to minutes, and tasks may have started meanwhile
    const repository = await keepCandidate(deps, organizationId, wanted, looked);
    await sites.setRepository(siteId, repository, { isElsewhere });
    if (known?.credential?.credentialId !== repository.credential?.credentialId)
      await forget(deps, known);
    if (isElsewhere) await repositories.remove(siteId);
    // also repairs an earlier request that failed at this step
    await hosting.ensureLive(await sites.get(siteId));
  } finally {
    await repositories.discard(place.siteId);
  }
}

async function forget(
  { credentials }: SiteSettingsDeps,
  repository: SiteRepository | null | undefined,
) {
  if (repository?.credential) await credentials.removeUnused(repository.credential.credentialId);
}

function fail(error: unknown): never {
  throw unreadable(error);
}

/**
 * The error for changing a repository that the operator registered. The operator's access may reach
 * folders of other organizations.
 */
const ofOperator = () =>
  new DomainError(
    'CONFLICT',
    'The operator added this repository: only they can change its branch and folder',
  );

const busy = () =>
  new DomainError('CONFLICT', 'Tasks of this site are running: wait for them, or cancel them');

function refuseProblems({ problems }: RepositoryCheck) {
  if (problems.length > 0)
    throw new DomainError('CONFLICT', problems.map(({ message }) => message).join(' '));
}

const unusable = (problem: RepositoryCheck['problems'][number]): RepositoryCheck => ({
  ok: false,
  readable: false,
  pushable: false,
  branch: null,
  branches: [],
  pages: null,
  format: null,
  problems: [problem],
});
