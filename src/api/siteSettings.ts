import { randomUUID } from 'node:crypto';
import type { PublishApproval } from '../contract/approvals.ts';
import type { SiteFinding, HostCheck } from '../contract/responses.ts';
import type { ExternalHost, Site, SiteRepository } from '../contract/site.ts';
import { withoutUndefined } from '../contract/withoutUndefined.ts';
import { DomainError } from '../errors.ts';
import {
  storeHost,
  type StoredHost,
  newWebhookSecret,
  hostSecretIds,
} from '../forges/storeHost.ts';
import type { Sites } from '../organizations/sites.ts';
import { unreadableSiteError } from '../sites/git/remote/productionHeads.ts';
import { findSite, hasRepository } from '../sites/git/registeredSite.ts';
import type { RepositoryCheck } from '../sites/pages/listing/checkRepository.ts';
import {
  type CandidateHostDeps,
  type HostInput,
  checkCandidateHost,
  isHostMoved,
  readHostInput,
} from './candidateHost.ts';
import {
  type RepositoryCandidate,
  type CandidateRepositoryDeps,
  type RepositoryInput,
  storeCandidate,
  checkCandidate,
  readCandidate,
} from './candidateRepository.ts';

export interface SiteSettingsDeps extends CandidateRepositoryDeps, CandidateHostDeps {
  credentials: CandidateRepositoryDeps['credentials'] & CandidateHostDeps['credentials'];
  sites: Pick<Sites, 'create' | 'find' | 'get' | 'setRepository' | 'change' | 'remove' | 'undo'>;
  hosting: { ensureLive(site: Site): Promise<void> };
  /** Whether any task of the site is running. Throws UNAVAILABLE. */
  hasRunningTasks(siteId: string): Promise<boolean>;
}

/** The body of POST /sites. */
export interface NewSiteRequest {
  name: string;
  repository?: RepositoryInput | null;
  /** Default: the embedded host. */
  host?: HostInput;
  author?: Site['author'];
}

/** The body of POST /sites/check. */
export interface SiteCheckRequest {
  /** An existing site. Its credential and settings are used for absent fields. */
  siteId?: string;
  repository: RepositoryInput;
  host?: HostInput;
}

/** What a check found. */
export interface SiteCheck extends RepositoryCheck {
  /** Present if the request has an external host and the repository has the branch. */
  host?: HostCheck;
}

/**
 * Changes of a site. Absent fields keep their values, also those of an external host. A repository
 * without `url` is the current one, and one without `credential` keeps its credential.
 */
export interface SiteChange {
  name?: string;
  author?: Site['author'];
  repository?: Partial<RepositoryInput>;
  host?: HostInput;
  publishApproval?: PublishApproval;
}

export interface CreatedSite extends Pick<StoredHost, 'webhookSecret'> {
  site: Site;
  warnings?: SiteFinding[];
}

/**
 * Operations of admins on sites: check, add, change and remove. A site is a repository with a host:
 * the embedded host, or an external one such as Netlify. Both are checked over the network before
 * they are stored (candidateRepository.ts, candidateHost.ts).
 */
export interface SiteSettings {
  /**
   * Checks a repository, and an external host, without changing anything.
   * @throws DomainError INVALID_INPUT for an invalid field of the host; NOT_FOUND for another
   *   organization's site
   */
  check(organizationId: string, request: SiteCheckRequest, signal: AbortSignal): Promise<SiteCheck>;
  /**
   * Checks a repository, registers a site with it, and makes the site live. If a step fails, it
   * removes what it has stored.
   * @returns the site, warnings, and for an external host the webhook secret, which is not shown
   *   again
   * @throws DomainError CONFLICT with an explanation, INVALID_INPUT, UNAVAILABLE
   */
  create(
    organizationId: string,
    request: NewSiteRequest,
    signal: AbortSignal,
  ): Promise<CreatedSite>;
  /**
   * Changes a site, after a check if the repository or the host changes.
   * @returns the webhook secret, if the site has now got an external host
   * @throws DomainError as `create`; CONFLICT if the repository or the host changes while tasks run
   */
  change(
    site: Site,
    change: SiteChange,
    signal: AbortSignal,
  ): Promise<Pick<StoredHost, 'webhookSecret'>>;
  /**
   * Replaces the secret with which the forge signs webhooks.
   * @throws DomainError CONFLICT if the site has no external host
   */
  newWebhookSecret(site: Site): Promise<string>;
  /**
   * Removes everything that the service stores of a site. Its repository is not changed.
   * @throws DomainError CONFLICT if tasks of the site are running
   */
  remove(site: Site): Promise<void>;
}

export function createSiteSettings(deps: SiteSettingsDeps): SiteSettings {
  const { sites, repositories } = deps;
  return {
    async check(organizationId, { siteId, repository: repositoryInput, host }, signal) {
      const site =
        siteId === undefined ? undefined : await findSite(sites, { organizationId, siteId });
      const { repository, ownHost: currentHost } = site ?? {};
      const temporarySite = { siteId: randomUUID(), organizationId };
      let candidate: RepositoryCandidate | undefined;
      try {
        candidate = await readCandidate(
          deps,
          organizationId,
          repositoryInput,
          repository ?? undefined,
        );
        if (repository && isOtherRepository(candidate, repository) && !candidate.isGuarded)
          return unusableCheck({
            code: 'address',
            message: `${operatorRepositoryError().message}.`,
          });
        const externalHost = readHostInput(deps, host, candidate, site);
        const { result, tree } = await checkCandidate(
          deps,
          { ...temporarySite, ownHost: externalHost?.settings },
          candidate,
          signal,
        );
        const { branch } = result;
        if (!externalHost || branch === null) return result;
        const hostCheck = await checkCandidateHost(
          deps,
          externalHost,
          { candidate, branch, tree, currentHost },
          signal,
        );
        return { ...result, ok: result.ok && hostCheck.problems.length === 0, host: hostCheck };
      } catch (error) {
        if (
          candidate ||
          !(error instanceof DomainError) ||
          !['INVALID_INPUT', 'NOT_FOUND'].includes(error.code)
        )
          throw error;
        const code =
          error.code === 'NOT_FOUND' || error.details?.['of'] === 'credential'
            ? 'credential'
            : 'address';
        return unusableCheck({ code, message: `${error.message}.` });
      } finally {
        await repositories.forget(temporarySite.siteId);
      }
    },

    async create(organizationId, { repository, host, ...request }, signal) {
      if (repository)
        return createWithRepository(
          deps,
          organizationId,
          { ...request, repository, host },
          signal,
        ).catch(throwReadable);
      if (host?.type === 'own') throw missingRepositoryError();
      return { site: await sites.create({ ...request, organizationId, repository: null }) };
    },

    async change(site, { repository, host, ...otherChanges }, signal) {
      const isAlreadyEmbedded = host?.type === 'embedded' && !site.ownHost;
      const newSecret =
        repository || (host && !isAlreadyEmbedded)
          ? await replaceConnection(deps, site, { repository, host }, signal).catch(throwReadable)
          : {};
      await sites.change(site.siteId, otherChanges);
      return newSecret;
    },

    async newWebhookSecret({ siteId, organizationId, ownHost }) {
      if (!ownHost) throw new DomainError('CONFLICT', 'The site has no external host');
      const secret = newWebhookSecret();
      const credentialId = await deps.credentials.addSecret(organizationId, secret);
      await sites.change(siteId, { ownHost: { ...ownHost, webhook: { credentialId } } });
      await removeUnusedCredentials(deps, [ownHost.webhook?.credentialId]);
      return secret;
    },

    async remove(site) {
      const { siteId } = site;
      if (hasRepository(site) && (await deps.hasRunningTasks(siteId))) throw runningTasksError();
      await sites.remove(siteId);
      await removeUnusedCredentials(deps, connectionCredentialIds(site));
      await repositories.remove(siteId);
    },
  };
}

async function createWithRepository(
  deps: SiteSettingsDeps,
  organizationId: string,
  {
    repository: repositoryInput,
    host,
    ...request
  }: Omit<NewSiteRequest, 'host'> & { repository: RepositoryInput; host: HostInput | undefined },
  signal: AbortSignal,
): Promise<CreatedSite> {
  const { sites, repositories, hosting } = deps;
  const siteIds = { siteId: randomUUID(), organizationId };
  const candidate = await readCandidate(deps, organizationId, repositoryInput);
  const candidateHost = readHostInput(deps, host, candidate);
  let repository: SiteRepository | undefined;
  let storedHost: StoredHost | undefined;
  try {
    const candidateSite = { ...siteIds, ownHost: candidateHost?.settings };
    const candidateCheck = await checkCandidate(deps, candidateSite, candidate, signal);
    refuseCheckProblems(candidateCheck.result);
    const branch = candidateCheck.result.branch!;
    const hostCheck =
      candidateHost &&
      (await checkCandidateHost(
        deps,
        candidateHost,
        { candidate, branch, tree: candidateCheck.tree },
        signal,
      ));
    if (hostCheck) refuseCheckProblems(hostCheck);
    repository = await storeCandidate(deps, organizationId, candidate, candidateCheck);
    storedHost = candidateHost
      ? await storeHost(deps.credentials, organizationId, candidateHost)
      : undefined;
    const site = await sites.create({
      ...request,
      ...siteIds,
      repository,
      ownHost: storedHost?.ownHost,
    });
    await hosting.ensureLive(site);
    const warnings = [...candidateCheck.result.warnings, ...(hostCheck?.warnings ?? [])];
    return { site, warnings, ...withoutUndefined({ webhookSecret: storedHost?.webhookSecret }) };
  } catch (error) {
    await sites.undo(siteIds.siteId);
    const storedCredentialId = candidate.fresh ? repository?.credential?.credentialId : undefined;
    await removeUnusedCredentials(deps, [
      storedCredentialId,
      ...hostSecretIds(storedHost?.ownHost),
    ]);
    await repositories.forget(siteIds.siteId);
    throw error;
  }
}

/** Checks a new repository and host, and stores them with the site in place of its current ones. */
async function replaceConnection(
  deps: SiteSettingsDeps,
  site: Site,
  {
    repository: change = {},
    host,
  }: { repository: SiteChange['repository']; host: HostInput | undefined },
  signal: AbortSignal,
): Promise<Pick<StoredHost, 'webhookSecret'>> {
  const { sites, repositories, hosting } = deps;
  const { siteId, organizationId, repository: currentRepository, ownHost } = site;
  const url = change.url ?? currentRepository?.url;
  if (url === undefined)
    throw new DomainError('INVALID_INPUT', 'Invalid request body: repository.url is required');
  const repositoryInput = { ...change, url };
  const candidate = await readCandidate(
    deps,
    organizationId,
    repositoryInput,
    currentRepository ?? undefined,
  );
  const candidateHost = readHostInput(deps, host, candidate, site);
  const isElsewhere = isOtherRepository(candidate, currentRepository);
  if (isElsewhere && !candidate.isGuarded) throw operatorRepositoryError();
  const refuseBusy = async () => {
    const isMove = isElsewhere || isHostMoved(ownHost, candidateHost);
    if (isMove && currentRepository && (await deps.hasRunningTasks(siteId)))
      throw runningTasksError();
  };
  await refuseBusy();
  const temporarySite = { siteId: randomUUID(), organizationId };
  try {
    const candidateSite = { ...temporarySite, ownHost: candidateHost?.settings };
    const candidateCheck = await checkCandidate(deps, candidateSite, candidate, signal);
    refuseCheckProblems(candidateCheck.result);
    if (candidateHost) {
      const branch = candidateCheck.result.branch!;
      const hostContext = {
        candidate,
        branch,
        tree: candidateCheck.tree,
        currentHost: ownHost,
      };
      refuseCheckProblems(await checkCandidateHost(deps, candidateHost, hostContext, signal));
    }
    await refuseBusy(); // the check takes up to minutes, and tasks may have started meanwhile
    const repository = await storeCandidate(deps, organizationId, candidate, candidateCheck);
    const storedHost =
      candidateHost && (await storeHost(deps.credentials, organizationId, candidateHost, ownHost));
    const nextConnection = { repository, ...withoutUndefined({ ownHost: storedHost?.ownHost }) };
    await sites.setRepository(siteId, repository, {
      isElsewhere,
      ownHost: storedHost?.ownHost ?? null,
    });
    await removeUnusedCredentials(deps, unusedCredentialIds(site, nextConnection));
    if (isElsewhere) await repositories.remove(siteId);
    // also repairs an earlier request that failed at this step
    await hosting.ensureLive(await sites.get(siteId));
    return withoutUndefined({ webhookSecret: storedHost?.webhookSecret });
  } finally {
    await repositories.forget(temporarySite.siteId);
  }
}

const isOtherRepository = (
  candidate: RepositoryCandidate,
  currentRepository: SiteRepository | null,
) =>
  candidate.url !== currentRepository?.url ||
  candidate.branch !== currentRepository?.branch ||
  candidate.root !== currentRepository?.root;

interface SiteConnection {
  repository: SiteRepository | null;
  ownHost?: ExternalHost;
}

const connectionCredentialIds = ({ repository, ownHost }: SiteConnection) => [
  repository?.credential?.credentialId,
  ...hostSecretIds(ownHost),
];

/** The ids of credentials that a site used before a change and no longer uses. */
function unusedCredentialIds(connectionBefore: SiteConnection, connectionAfter: SiteConnection) {
  const usedIds = new Set(connectionCredentialIds(connectionAfter));
  return connectionCredentialIds(connectionBefore).filter((id) => !usedIds.has(id));
}

async function removeUnusedCredentials(
  { credentials }: SiteSettingsDeps,
  credentialIds: (string | undefined)[],
) {
  for (const id of credentialIds) if (id !== undefined) await credentials.removeUnused(id);
}

function throwReadable(error: unknown): never {
  throw unreadableSiteError(error);
}

/**
 * The error for changing a repository that the operator registered. The operator's access may reach
 * folders of other organizations.
 */
const operatorRepositoryError = () =>
  new DomainError(
    'CONFLICT',
    'The operator added this repository. Only the operator can change its branch and folder.',
  );

const missingRepositoryError = () =>
  new DomainError('INVALID_INPUT', 'Invalid request body: host.type own needs a repository');

const runningTasksError = () =>
  new DomainError(
    'CONFLICT',
    'Tasks of this site are still running. Wait until they finish, or cancel them.',
  );

function refuseCheckProblems({ problems }: Pick<RepositoryCheck, 'problems'>) {
  if (problems.length > 0)
    throw new DomainError('CONFLICT', problems.map(({ message }) => message).join(' '));
}

const unusableCheck = (problem: RepositoryCheck['problems'][number]): RepositoryCheck => ({
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
