import { defined } from '../contract/defined.ts';
import type {
  Credential,
  CredentialKind,
  GitCredential,
  SiteCredential,
  SiteRepository,
} from '../contract/site.ts';
import { withoutEnd } from '../contract/text.ts';
import { DomainError } from '../errors.ts';
import type { Credentials } from '../organizations/credentials.ts';
import { type Access, placeOf } from '../sites/git/access.ts';
import { checkBranch, checkRoot } from '../sites/git/refNames.ts';
import { checkRepositoryUrl } from '../sites/git/repositoryUrl.ts';
import {
  type CheckDeps,
  checkRepository,
  type RepositoryCheck,
} from '../sites/pages/checkRepository.ts';

/** The credential for a repository, as in the request's body. */
export type GivenCredential =
  | { type: 'token'; username?: string; token: string }
  | { type: 'github-app'; appId: string; installationId?: string; privateKey: string }
  | { type: 'deploy-key'; deployKeyId: string };

/** A repository, as in the request's body. */
export interface GivenRepository {
  url: string;
  branch?: string;
  root?: string;
  credential?: GivenCredential | null;
}

export interface CandidateDeps extends CheckDeps {
  credentials: Pick<
    Credentials,
    'addToken' | 'addGitHubApp' | 'findDeployKey' | 'open' | 'removeUnused'
  >;
  /** The credential that git takes. A GitHub App gets a token for the repository at this URL. */
  forGit(credential: Credential, url: string): Promise<GitCredential>;
}

const CHECK_MS = 4 * 60_000;
/** Default user name for tokens. It suits hosts that ignore the name. */
const USERNAME = 'x-access-token';

/** A well-formed repository with its credential, before it was checked over the network. */
export interface Candidate extends SiteRepository {
  /**
   * Whether the request or the site named the branch. Otherwise the repository's default branch is
   * used.
   */
  isNamed: boolean;
  access: Access;
  /** Reads the credential; null: there is none. */
  secret: () => Promise<Credential | null>;
  /** A new credential that is not in the database yet. */
  fresh?: FreshCredential;
}

type FreshCredential = Exclude<Credential, { kind: 'deploy-key' }>;

/** A candidate's check, with the branch and the host's ssh keys that it found. */
export interface Looked {
  result: RepositoryCheck;
  knownHosts?: string;
}

/**
 * Validates the repository of a request.
 * @param known the site's present repository
 * @throws DomainError INVALID_INPUT; NOT_FOUND for an unknown deploy key
 */
export async function readCandidate(
  { credentials, forGit }: Pick<CandidateDeps, 'credentials' | 'forGit'>,
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
  const { fresh, ...own } = await readCredential(credentials, organizationId, given.credential);
  const credential = kept ?? own.credential;
  const kind = fresh?.kind ?? credential?.kind;
  if (isGuarded) refuseMismatch(url, kind);
  const secret = async (): Promise<Credential | null> =>
    fresh ?? (credential ? credentials.open(credential.credentialId) : null);
  const ofGit = async (): Promise<GitCredential | null> => {
    const found = await secret();
    return found && forGit(found, url);
  };
  return {
    url,
    branch: checkBranch(named.branch ?? 'main'),
    root,
    isNamed: named.branch !== undefined,
    secret,
    ...defined({ isGuarded, credential, fresh }),
    access: { isGuarded: isGuarded ?? false, credential: ofGit, knownHosts: '' },
  };
}

async function readCredential(
  credentials: CandidateDeps['credentials'],
  organizationId: string,
  given: GivenCredential | null | undefined,
): Promise<{ credential?: SiteCredential; fresh?: FreshCredential }> {
  if (!given) return {};
  if (given.type === 'token') {
    const { username = USERNAME, token } = given;
    return { fresh: { kind: 'token', username, token } };
  }
  if (given.type === 'github-app') {
    const { appId, installationId = null, privateKey } = given;
    return { fresh: { kind: 'github-app', appId, installationId, privateKey } };
  }
  return { credential: await credentials.findDeployKey(organizationId, given.deployKeyId) };
}

/**
 * Checks a candidate over the network, in the given site's local copy. Finds its branch and its
 * host's keys.
 */
export async function lookAt(
  deps: CandidateDeps,
  site: { siteId: string; organizationId: string },
  wanted: Candidate,
  signal: AbortSignal,
): Promise<Looked> {
  const { url, branch, root, isNamed, access, fresh, credential } = wanted;
  const found: { knownHosts?: string } = {};
  const asked = {
    siteId: site.siteId,
    organizationId: site.organizationId,
    url,
    root,
    branch: isNamed ? branch : undefined,
    access: { ...access, onKnownHosts: (lines: string) => (found.knownHosts = lines) },
    credential: fresh?.kind ?? credential?.kind ?? null,
  };
  const result = await inTime(signal, (end) => checkRepository(deps, asked, end));
  return { result, ...found };
}

/** Makes the repository to store for the site, and stores its new credential. */
export async function keepCandidate(
  { credentials }: Pick<CandidateDeps, 'credentials'>,
  organizationId: string,
  wanted: Candidate,
  looked: Looked,
): Promise<SiteRepository> {
  const { url, root, isGuarded, fresh } = wanted;
  const credential = fresh ? await add(credentials, organizationId, fresh) : wanted.credential;
  const branch = looked.result.branch!;
  return {
    url,
    branch,
    root,
    ...defined({ isGuarded, credential, knownHosts: looked.knownHosts }),
  };
}

const add = (
  credentials: CandidateDeps['credentials'],
  organizationId: string,
  fresh: FreshCredential,
): Promise<SiteCredential> =>
  fresh.kind === 'token'
    ? credentials.addToken(organizationId, fresh)
    : credentials.addGitHubApp(organizationId, fresh);

/** Stands for the address of a local repository in answers. */
export const LOCAL = 'local';

/** Whether a client's address means the site's present repository. */
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

/** Runs work with a time limit: a slow repository must not hold a request for ever. */
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
