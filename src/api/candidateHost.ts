import type { SiteFinding, HostCheck } from '../contract/responses.ts';
import {
  type CredentialKind,
  type ExternalHost,
  forgeCredentials,
  type RepositoryCredential,
  type Site,
} from '../contract/site.ts';
import { DomainError } from '../errors.ts';
import {
  type ExternalHostInput,
  type ParsedExternalHost,
  parseExternalHost,
} from '../forges/externalHost.ts';
import type { Credentials } from '../organizations/credentials.ts';
import type { RepositoryCandidate } from './candidateRepository.ts';
import type { Tree } from '../sites/git/repository.ts';
import type { RepositoryCheckDeps } from '../sites/pages/listing/checkRepository.ts';
import { checkHost, type HostCheckDeps } from './hostCheck.ts';
import {
  findUnknownPageUrls,
  missingDataFileWarnings,
  unknownUrlWarnings,
} from './pageUrlCheck.ts';

/**
 * Reads and checks the host that a request wants for a site: the embedded host, or an external host
 * such as Netlify (`own`). candidateRepository.ts does the same for the repository.
 */

/** A site's host, as in the request's body. */
export type HostInput = { type: 'embedded' } | ({ type: 'own' } & ExternalHostInput);

export interface CandidateHostDeps extends HostCheckDeps {
  pages: RepositoryCheckDeps['pages'];
  credentials: Pick<Credentials, 'addSecret' | 'openSecret' | 'removeUnused'>;
}

/** The repository and the external host of the site that the request is about. */
type CurrentSiteHost = Pick<Site, 'repository' | 'ownHost'>;

/**
 * Validates the host of a request. Absent fields keep the values of the site's current host.
 * @param candidate the repository of the request; its credential must be able to open pull requests
 * @param site the existing site, if there is one
 * @returns null for the embedded host
 * @throws DomainError INVALID_INPUT
 */
export function readHostInput(
  { addressRules }: CandidateHostDeps,
  hostInput: HostInput | undefined,
  candidate: RepositoryCandidate,
  site?: CurrentSiteHost,
): ParsedExternalHost | null {
  if (hostInput?.type === 'embedded' || (!hostInput && !site?.ownHost)) return null;
  const currentHost =
    site?.ownHost && site.repository
      ? { host: site.ownHost, repositoryUrl: site.repository.url }
      : undefined;
  const externalHost = parseExternalHost(hostInput ?? {}, {
    ...addressRules,
    repositoryUrl: candidate.url,
    known: currentHost,
  });
  const credentialKind = candidate.fresh?.kind ?? candidate.credential?.kind;
  const { forge } = externalHost.settings;
  const acceptedKinds = forgeCredentials[forge];
  if (credentialKind && acceptedKinds.includes(credentialKind)) return externalHost;
  const expected = acceptedKinds.map((kind) => credentialNames[kind]).join(' or ');
  throw new DomainError(
    'INVALID_INPUT',
    `Invalid request body: host.type own with host.forge ${forge} needs a repository.credential that may open pull requests: ${expected}`,
  );
}

const credentialNames: Record<CredentialKind, string> = {
  token: 'a token',
  'deploy-key': 'a deploy key',
  'github-app': 'a GitHub App',
};

/** Whether running tasks would have to continue with another forge or another way to publish. */
export function isHostMoved(
  hostBefore: ExternalHost | undefined,
  hostAfter: ParsedExternalHost | null,
): boolean {
  if (!hostBefore || !hostAfter) return (hostBefore === undefined) !== (hostAfter === null);
  const { settings } = hostAfter;
  return (['forge', 'apiUrl', 'project', 'publish'] as const).some(
    (settingName) => hostBefore[settingName] !== settings[settingName],
  );
}

interface CandidateHostContext {
  candidate: RepositoryCandidate;
  branch: string;
  /** The files of the site's folder. Absent if they could not be read. */
  tree?: Tree | undefined;
  currentHost?: ExternalHost | undefined;
}

/**
 * Checks an external host over the network (hostCheck.ts). `known` is the site's current host. Its
 * stored secret for protected previews is used if the request has none.
 */
export async function checkCandidateHost(
  deps: CandidateHostDeps,
  { settings, bypass }: ParsedExternalHost,
  { candidate, branch, tree, currentHost }: CandidateHostContext,
  signal: AbortSignal,
): Promise<HostCheck> {
  const credential: RepositoryCredential = (await candidate.secret())!;
  const openedBypass = bypass && {
    header: bypass.header,
    value: bypass.value ?? (await deps.credentials.openSecret(currentHost!.bypass!.credentialId)),
  };
  const hostCheck = await checkHost(
    deps,
    { settings, credential, bypass: openedBypass, branch },
    signal,
  );
  const { pageUrls: rules, liveUrl } = settings;
  const unknownPageUrls = tree
    ? await findUnknownPageUrls(deps, { tree, rules, liveUrl }, signal)
    : [];
  const warnings = [
    ...hostCheck.warnings,
    ...unknownUrlWarnings(unknownPageUrls),
    ...(tree ? missingDataFileWarnings(tree, rules) : []),
    ...webhookWarnings(currentHost),
  ];
  return { ...hostCheck, warnings, unknownPageUrls };
}

/** Warns if no webhook has come yet. A new site has no webhook secret before it is created. */
function webhookWarnings(currentHost: ExternalHost | undefined): SiteFinding[] {
  if (!currentHost?.webhook || currentHost.webhook.isHeard) return [];
  const message =
    'The service has not received a webhook from the forge yet. Add a webhook to the repository at the forge, with the URL and the secret of the site. If the secret is lost, create a new one. Tasks also work without the webhook, but they notice builds and merges later.';
  return [{ code: 'webhook', message }];
}
