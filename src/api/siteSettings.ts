import { randomUUID } from 'node:crypto';
import type { Finding, HostCheck } from '../contract/answers.ts';
import type { OwnHost, Site, SiteRepository } from '../contract/site.ts';
import { defined } from '../contract/defined.ts';
import { DomainError } from '../errors.ts';
import { keepHost, type KeptHost, newWebhookSecret, secretsOf } from '../forges/keepHost.ts';
import type { Sites } from '../organizations/sites.ts';
import { unreadable } from '../sites/git/productionHead.ts';
import { findSite, hasRepository } from '../sites/git/registeredSite.ts';
import type { RepositoryCheck } from '../sites/pages/checkRepository.ts';
import {
  type CandidateHostDeps,
  type GivenHost,
  lookAtHost,
  movesHost,
  readHost,
} from './candidateHost.ts';
import {
  type Candidate,
  type CandidateDeps,
  type GivenRepository,
  keepCandidate,
  lookAt,
  readCandidate,
} from './candidateRepository.ts';

export interface SiteSettingsDeps extends CandidateDeps, CandidateHostDeps {
  credentials: CandidateDeps['credentials'] & CandidateHostDeps['credentials'];
  sites: Pick<Sites, 'create' | 'find' | 'get' | 'setRepository' | 'change' | 'remove' | 'undo'>;
  hosting: { ensureLive(site: Site): Promise<void> };
  /** Whether any task of the site is running. Throws UNAVAILABLE. */
  hasRunningTasks(siteId: string): Promise<boolean>;
}

export interface NewSiteRequest {
  name: string;
  repository?: GivenRepository | null;
  /** Default: the embedded host. */
  host?: GivenHost;
  author?: Site['author'];
}

export interface CheckRequest {
  /** The site whose stored credential and settings stand for what is absent. */
  siteId?: string;
  repository: GivenRepository;
  host?: GivenHost;
}

/** What a check found. */
export interface SiteCheck extends RepositoryCheck {
  /** Only for a team's own host, and a repository that has the branch. */
  host?: HostCheck;
}

/**
 * Changes of a site. Absent fields keep their value. A repository without `url` is the present one.
 * One without `credential` keeps its credential. Absent fields of a team's own host stay, too.
 */
export interface SiteChange {
  name?: string;
  author?: Site['author'];
  repository?: Partial<GivenRepository>;
  host?: GivenHost;
}

export interface MadeSite extends Pick<KeptHost, 'webhookSecret'> {
  site: Site;
  warnings?: Finding[];
}

/** Operations of admins on sites. */
export interface SiteSettings {
  /**
   * Checks a repository, and the team's own host, without changing anything.
   * @throws DomainError INVALID_INPUT for a wrong field of the host; NOT_FOUND for another
   *   organization's site
   */
  check(organizationId: string, request: CheckRequest, signal: AbortSignal): Promise<SiteCheck>;
  /**
   * Checks a repository, registers a site with it, and puts the site live. If the check fails,
   * nothing is kept.
   * @returns the site, what may be wrong with its host, and the secret of its forge's webhooks,
   *   which is not shown again
   * @throws DomainError CONFLICT with an explanation, INVALID_INPUT, UNAVAILABLE
   */
  create(organizationId: string, request: NewSiteRequest, signal: AbortSignal): Promise<MadeSite>;
  /**
   * @returns the secret of the forge's webhooks, if the site got its own host now
   * @throws DomainError as `create`; CONFLICT if the repository or the host changes while tasks run
   */
  change(
    site: Site,
    change: SiteChange,
    signal: AbortSignal,
  ): Promise<Pick<KeptHost, 'webhookSecret'>>;
  /**
   * Replaces the secret of the forge's webhooks.
   * @throws DomainError CONFLICT if the site has no host of its own
   */
  newWebhookSecret(site: Site): Promise<string>;
  /**
   * Removes everything that the service stores of a site. Its repository is not changed.
   * @throws DomainError CONFLICT
   */
  remove(site: Site): Promise<void>;
}

export function createSiteSettings(deps: SiteSettingsDeps): SiteSettings {
  const { sites, repositories } = deps;
  return {
    async check(organizationId, { siteId, repository: given, host }, signal) {
      const site =
        siteId === undefined ? undefined : await findSite(sites, { organizationId, siteId });
      const { repository, ownHost: known } = site ?? {};
      const place = { siteId: randomUUID(), organizationId };
      let wanted: Candidate | undefined;
      try {
        wanted = await readCandidate(deps, organizationId, given, repository ?? undefined);
        if (repository && isOther(wanted, repository) && !wanted.isGuarded)
          return unusable({ code: 'address', message: `${ofOperator().message}.` });
        const own = readHost(deps, host, wanted, site);
        const { result } = await lookAt(deps, place, wanted, signal);
        const { branch } = result;
        if (!own || branch === null) return result;
        const found = await lookAtHost(deps, own, { wanted, branch, known }, signal);
        return { ...result, ok: result.ok && found.problems.length === 0, host: found };
      } catch (error) {
        if (
          wanted ||
          !(error instanceof DomainError) ||
          !['INVALID_INPUT', 'NOT_FOUND'].includes(error.code)
        )
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

    async create(organizationId, { repository, host, ...request }, signal) {
      if (repository)
        return createWith(deps, organizationId, { ...request, repository, host }, signal).catch(
          fail,
        );
      if (host?.type === 'own') throw withoutRepository();
      return { site: await sites.create({ ...request, organizationId, repository: null }) };
    },

    async change(site, { repository, host, ...rest }, signal) {
      const isSame = host?.type === 'embedded' && !site.ownHost;
      const kept =
        repository || (host && !isSame)
          ? await replacePlace(deps, site, { repository, host }, signal).catch(fail)
          : {};
      await sites.change(site.siteId, rest);
      return kept;
    },

    async newWebhookSecret({ siteId, organizationId, ownHost }) {
      if (!ownHost) throw new DomainError('CONFLICT', 'The site has no host of its own');
      const secret = newWebhookSecret();
      const credentialId = await deps.credentials.addSecret(organizationId, secret);
      await sites.change(siteId, { ownHost: { ...ownHost, webhook: { credentialId } } });
      await forget(deps, [ownHost.webhook?.credentialId]);
      return secret;
    },

    async remove(site) {
      const { siteId } = site;
      if (hasRepository(site) && (await deps.hasRunningTasks(siteId))) throw busy();
      await sites.remove(siteId);
      await forget(deps, credentialsOf(site));
      await repositories.remove(siteId);
    },
  };
}

async function createWith(
  deps: SiteSettingsDeps,
  organizationId: string,
  {
    repository: given,
    host,
    ...request
  }: Omit<NewSiteRequest, 'host'> & { repository: GivenRepository; host: GivenHost | undefined },
  signal: AbortSignal,
): Promise<MadeSite> {
  const { sites, repositories, hosting } = deps;
  const own = { siteId: randomUUID(), organizationId };
  const wanted = await readCandidate(deps, organizationId, given);
  const wantedHost = readHost(deps, host, wanted);
  let repository: SiteRepository | undefined;
  let kept: KeptHost | undefined;
  try {
    const looked = await lookAt(deps, own, wanted, signal);
    refuseProblems(looked.result);
    const branch = looked.result.branch!;
    const seen = wantedHost && (await lookAtHost(deps, wantedHost, { wanted, branch }, signal));
    if (seen) refuseProblems(seen);
    repository = await keepCandidate(deps, organizationId, wanted, looked);
    kept = wantedHost ? await keepHost(deps.credentials, organizationId, wantedHost) : undefined;
    const site = await sites.create({ ...request, ...own, repository, ownHost: kept?.ownHost });
    await hosting.ensureLive(site);
    const warnings = [...looked.result.warnings, ...(seen?.warnings ?? [])];
    return { site, warnings, ...defined({ webhookSecret: kept?.webhookSecret }) };
  } catch (error) {
    await sites.undo(own.siteId);
    const stored = wanted.fresh ? repository?.credential?.credentialId : undefined;
    await forget(deps, [stored, ...secretsOf(kept?.ownHost)]);
    await repositories.discard(own.siteId);
    throw error;
  }
}

/** Checks a new repository and host, and replaces the site's with them. */
async function replacePlace(
  deps: SiteSettingsDeps,
  site: Site,
  {
    repository: change = {},
    host,
  }: { repository: SiteChange['repository']; host: GivenHost | undefined },
  signal: AbortSignal,
): Promise<Pick<KeptHost, 'webhookSecret'>> {
  const { sites, repositories, hosting } = deps;
  const { siteId, organizationId, repository: known, ownHost } = site;
  const url = change.url ?? known?.url;
  if (url === undefined) throw new DomainError('INVALID_INPUT', 'The repository needs a url');
  const given = { ...change, url };
  const wanted = await readCandidate(deps, organizationId, given, known ?? undefined);
  const wantedHost = readHost(deps, host, wanted, site);
  const isElsewhere = isOther(wanted, known);
  if (isElsewhere && !wanted.isGuarded) throw ofOperator();
  const refuseBusy = async () => {
    const isMove = isElsewhere || movesHost(ownHost, wantedHost);
    if (isMove && known && (await deps.hasRunningTasks(siteId))) throw busy();
  };
  await refuseBusy();
  const place = { siteId: randomUUID(), organizationId };
  try {
    const looked = await lookAt(deps, place, wanted, signal);
    refuseProblems(looked.result);
    if (wantedHost) {
      const branch = looked.result.branch!;
      const at = { wanted, branch, known: ownHost };
      refuseProblems(await lookAtHost(deps, wantedHost, at, signal));
    }
    await refuseBusy(); // the check takes up to minutes, and tasks may have started meanwhile
    const repository = await keepCandidate(deps, organizationId, wanted, looked);
    const kept =
      wantedHost && (await keepHost(deps.credentials, organizationId, wantedHost, ownHost));
    const next = { repository, ...defined({ ownHost: kept?.ownHost }) };
    await sites.setRepository(siteId, repository, { isElsewhere, ownHost: kept?.ownHost ?? null });
    await forget(deps, unusedAfter(site, next));
    if (isElsewhere) await repositories.remove(siteId);
    // also repairs an earlier request that failed at this step
    await hosting.ensureLive(await sites.get(siteId));
    return defined({ webhookSecret: kept?.webhookSecret });
  } finally {
    await repositories.discard(place.siteId);
  }
}

const isOther = (wanted: Candidate, known: SiteRepository | null) =>
  wanted.url !== known?.url || wanted.branch !== known?.branch || wanted.root !== known?.root;

interface Place {
  repository: SiteRepository | null;
  ownHost?: OwnHost;
}

const credentialsOf = ({ repository, ownHost }: Place) => [
  repository?.credential?.credentialId,
  ...secretsOf(ownHost),
];

/** The credentials that a site had before, and has no more. */
function unusedAfter(before: Place, after: Place) {
  const used = new Set(credentialsOf(after));
  return credentialsOf(before).filter((id) => !used.has(id));
}

async function forget({ credentials }: SiteSettingsDeps, ids: (string | undefined)[]) {
  for (const id of ids) if (id !== undefined) await credentials.removeUnused(id);
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

const withoutRepository = () =>
  new DomainError('INVALID_INPUT', 'Invalid request body: host.type own needs a repository');

const busy = () =>
  new DomainError('CONFLICT', 'Tasks of this site are running: wait for them, or cancel them');

function refuseProblems({ problems }: Pick<RepositoryCheck, 'problems'>) {
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
  warnings: [],
});
