import { defined } from '../contract/defined.ts';
import type {
  Credential,
  CredentialKind,
  SiteCredential,
  SiteRepository,
} from '../contract/site.ts';
import { withoutEnd } from '../contract/text.ts';
import { DomainError } from '../errors.ts';
import type { Credentials, NewToken } from '../organizations/credentials.ts';
import { type Access, placeOf } from '../sites/git/access.ts';
import { checkBranch, checkRoot } from '../sites/git/refNames.ts';
import { checkRepositoryUrl } from '../sites/git/repositoryUrl.ts';
import {
  type CheckDeps,
  checkRepository,
  type RepositoryCheck,
} from '../sites/pages/checkRepository.ts';

/** What lets the service in, as a request gives it. */
export type GivenCredential =
  | { type: 'token'; username?: string; token: string }
  | { type: 'deploy-key'; deployKeyId: string };

/** A repository as a request gives it. */
export interface GivenRepository {
  url: string;
  branch?: string;
  root?: string;
  credential?: GivenCredential | null;
}

export interface CandidateDeps extends CheckDeps {
  credentials: Pick<Credentials, 'addToken' | 'findDeployKey' | 'open' | 'removeUnused'>;
}

const CHECK_MS = 4 * 60_000;
/** Taken by hosts that ask for no certain name. */
const USERNAME = 'x-access-token';

/** A repository that is well formed, with what lets the service in. */
export interface Candidate extends SiteRepository {
  /** Whether the branch was named, not left to the repository. */
  isNamed: boolean;
  access: Access;
  /** A token that is not kept yet. */
  token?: NewToken;
}

/** A candidate after its check, with the ssh keys of its host. */
export interface Looked {
  result: RepositoryCheck;
  knownHosts?: string;
}

/**
 * @param known the repository that the site has
 * @throws DomainError INVALID_INPUT, NOT_FOUND for a deploy key of nobody
 */
export async function readCandidate(
  credentials: CandidateDeps['credentials'],
  organizationId: string,
  given: GivenRepository,
  known?: SiteRepository,
): Promise<Candidate> {
  const url =
    known && isShown(given.url, known)
      ? known.url
      : checkRepositoryUrl(given.url, { allowLocal: false });
  const isSame = url === known?.url;
  const isGuarded = isSame ? known.isGuarded : true;
  const named = { ...(isSame && { branch: known.branch, root: known.root }), ...defined(given) };
  const root = checkRoot(withoutEnd((named.root ?? '').replace(/^(\.?\/+|\.$)/, ''), '/'));
  const kept = isSame && given.credential === undefined ? known.credential : undefined;
  const { token, ...own } = await readCredential(credentials, organizationId, given.credential);
  const credential = kept ?? own.credential;
  const kind = token ? 'token' : credential?.kind;
  if (isGuarded) refuseMismatch(url, kind);
  const secret = async (): Promise<Credential | null> => {
    if (token) return { kind: 'token', ...token };
    return credential ? credentials.open(credential.credentialId) : null;
  };
  return {
    url,
    branch: checkBranch(named.branch ?? 'main'),
    root,
    isNamed: named.branch !== undefined,
    ...defined({ isGuarded, credential, token }),
    access: { isGuarded: isGuarded ?? false, credential: secret, knownHosts: '' },
  };
}

async function readCredential(
  credentials: CandidateDeps['credentials'],
  organizationId: string,
  given: GivenCredential | null | undefined,
): Promise<{ credential?: SiteCredential; token?: NewToken }> {
  if (!given) return {};
  if (given.type === 'token')
    return { token: { username: given.username ?? USERNAME, token: given.token } };
  return { credential: await credentials.findDeployKey(organizationId, given.deployKeyId) };
}

/** Checks a candidate in the copy of a site, and finds its branch and its host's keys. */
export async function lookAt(
  deps: CandidateDeps,
  site: { siteId: string; organizationId: string },
  wanted: Candidate,
  signal: AbortSignal,
): Promise<Looked> {
  const { url, branch, root, isNamed, access, token, credential } = wanted;
  const found: { knownHosts?: string } = {};
  const asked = {
    siteId: site.siteId,
    organizationId: site.organizationId,
    url,
    root,
    branch: isNamed ? branch : undefined,
    access: { ...access, onKnownHosts: (lines: string) => (found.knownHosts = lines) },
    credential: token ? ('token' as const) : (credential?.kind ?? null),
  };
  const result = await inTime(signal, (end) => checkRepository(deps, asked, end));
  return { result, ...found };
}

/** The repository to keep, with its credential in the database. */
export async function keepCandidate(
  { credentials }: CandidateDeps,
  organizationId: string,
  wanted: Candidate,
  looked: Looked,
): Promise<SiteRepository> {
  const { url, root, isGuarded, token } = wanted;
  const credential = token ? await credentials.addToken(organizationId, token) : wanted.credential;
  const branch = looked.result.branch!;
  return {
    url,
    branch,
    root,
    ...defined({ isGuarded, credential, knownHosts: looked.knownHosts }),
  };
}

/** What a client knows of the address of a local repository. */
export const LOCAL = 'local';

/** Whether an address is the one that a client sees of a site's repository. */
const isShown = (url: string, known: SiteRepository) =>
  url === known.url || (url === LOCAL && known.url.startsWith('file:'));

function refuseMismatch(url: string, kind: CredentialKind | undefined) {
  const protocol = placeOf(url)?.protocol;
  const wrong = (message: string) =>
    new DomainError('INVALID_INPUT', message, { details: { of: 'credential' } });
  if (protocol === 'https' && kind === 'deploy-key')
    throw wrong(
      'A deploy key is for an ssh address, such as git@host:team/site.git: give an access token here',
    );
  if (protocol === 'ssh' && kind !== 'deploy-key')
    throw wrong('An ssh address needs a deploy key: make one, or give the https address');
}

/**
 * Nobody waits for longer than that, and a repository that sends slowly must not hold a request for
 * ever.
 */
async function inTime<T>(signal: AbortSignal, work: (end: AbortSignal) => Promise<T>): Promise<T> {
  const late = AbortSignal.timeout(CHECK_MS);
  try {
    return await work(AbortSignal.any([signal, late]));
  } catch (error) {
    signal.throwIfAborted();
    if (!late.aborted) throw error;
    const reason = `the repository could not be read within ${CHECK_MS / 60_000} minutes`;
    throw new DomainError('UNAVAILABLE', 'The repository does not answer', {
      retryable: true,
      reason,
      cause: error,
    });
  }
}
