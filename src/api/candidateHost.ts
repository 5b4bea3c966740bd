import type { Finding, HostCheck } from '../contract/answers.ts';
import type { Credential, OwnHost, Site } from '../contract/site.ts';
import { DomainError } from '../errors.ts';
import { type GivenOwnHost, type ReadOwnHost, readOwnHost } from '../forges/ownHost.ts';
import type { Credentials } from '../organizations/credentials.ts';
import type { Candidate } from './candidateRepository.ts';
import { checkHost, type HostCheckDeps } from './hostCheck.ts';

/** A site's host, as in the request's body. */
export type GivenHost = { type: 'embedded' } | ({ type: 'own' } & GivenOwnHost);

export interface CandidateHostDeps extends HostCheckDeps {
  credentials: Pick<Credentials, 'addSecret' | 'openSecret' | 'removeUnused'>;
}

/** The site whose host is replaced. */
type Known = Pick<Site, 'repository' | 'ownHost'>;

/**
 * Validates the host of a request.
 * @returns null for the embedded host
 * @throws DomainError INVALID_INPUT
 */
export function readHost(
  { addressRules }: CandidateHostDeps,
  given: GivenHost | undefined,
  wanted: Candidate,
  site?: Known,
): ReadOwnHost | null {
  if (given?.type === 'embedded' || (!given && !site?.ownHost)) return null;
  const known =
    site?.ownHost && site.repository
      ? { host: site.ownHost, repositoryUrl: site.repository.url }
      : undefined;
  const read = readOwnHost(given ?? {}, { ...addressRules, repositoryUrl: wanted.url, known });
  const kind = wanted.fresh?.kind ?? wanted.credential?.kind;
  const { forge } = read.settings;
  if (kind === 'github-app' && forge !== 'github')
    throw new DomainError(
      'INVALID_INPUT',
      `Invalid request body: host.forge ${forge} takes no GitHub App: repository.credential must be a token`,
    );
  if (kind === 'token' || kind === 'github-app') return read;
  throw new DomainError(
    'INVALID_INPUT',
    'Invalid request body: host.type own needs repository.credential: a token or a GitHub App, which may open pull requests',
  );
}

/** Whether tasks that are running would go on with another forge, or another way to publish. */
export function movesHost(before: OwnHost | undefined, after: ReadOwnHost | null): boolean {
  if (!before || !after) return (before === undefined) !== (after === null);
  const { settings } = after;
  return (['forge', 'apiUrl', 'project', 'publish'] as const).some(
    (name) => before[name] !== settings[name],
  );
}

/** Checks a host over the network. */
export async function lookAtHost(
  deps: CandidateHostDeps,
  { settings, bypass }: ReadOwnHost,
  { wanted, branch, known }: { wanted: Candidate; branch: string; known?: OwnHost | undefined },
  signal: AbortSignal,
): Promise<HostCheck> {
  const credential: Credential = (await wanted.secret())!;
  const opened = bypass && {
    header: bypass.header,
    value: bypass.value ?? (await deps.credentials.openSecret(known!.bypass!.credentialId)),
  };
  const found = await checkHost(deps, { settings, credential, bypass: opened, branch }, signal);
  return { ...found, warnings: [...found.warnings, ...webhookWarnings(known)] };
}

/** A site that is added gets the secret of its webhooks only then, so nobody is told before. */
function webhookWarnings(known: OwnHost | undefined): Finding[] {
  if (!known?.webhook || known.webhook.isHeard) return [];
  const message =
    'No webhook of the forge has come yet. Add one to the repository there, with the address and the secret that the site shows. A lost secret can be renewed. Without it tasks work too, but notice builds and merges later.';
  return [{ code: 'webhook', message }];
}
