import { withoutUndefined } from '../contract/withoutUndefined.ts';
import type {
  OpenableSite,
  RepositoryCredential,
  CredentialKind,
  GitCredential,
  SiteCredential,
  SiteRepository,
} from '../contract/site.ts';
import { trimEndCharacters } from '../contract/text/summaries.ts';
import { DomainError } from '../errors.ts';
import type { Credentials } from '../organizations/credentials.ts';
import { type RemoteAccess, parseRemoteHost } from '../sites/git/remote/remoteAccess.ts';
import type { Tree } from '../sites/git/repository.ts';
import { checkBranch, checkRoot } from '../sites/git/refNames.ts';
import { checkRepositoryUrl } from '../sites/git/remote/repositoryUrl.ts';
import {
  type RepositoryCheckDeps,
  checkRepository,
  type RepositoryCheck,
} from '../sites/pages/listing/checkRepository.ts';

/**
 * A repository candidate: the repository that a request wants for a site. siteSettings.ts takes it
 * through three steps: `readCandidate` validates the request, `checkCandidate` reads the repository
 * over the network, and `storeCandidate` stores its credential and returns what the site keeps.
 */

/** The credential for a repository, as in the request's body. */
export type CredentialInput =
  | { type: 'token'; username?: string; token: string }
  | { type: 'github-app'; appId: string; installationId?: string; privateKey: string }
  | { type: 'deploy-key'; deployKeyId: string };

/** A repository, as in the request's body. */
export interface RepositoryInput {
  url: string;
  branch?: string;
  root?: string;
  credential?: CredentialInput | null;
}

export interface CandidateRepositoryDeps extends RepositoryCheckDeps {
  credentials: Pick<
    Credentials,
    'addToken' | 'addGitHubApp' | 'findDeployKey' | 'open' | 'removeUnused'
  >;
  /** Makes a credential for git. For a GitHub App it gets a token for the repository at `url`. */
  forGit(credential: RepositoryCredential, url: string): Promise<GitCredential>;
}

const CHECK_MS = 4 * 60_000;
/** Default user name for tokens, for git servers that ignore the name. */
const USERNAME = 'x-access-token';

/** A well-formed repository with its credential, before it was checked over the network. */
export interface RepositoryCandidate extends SiteRepository {
  /**
   * Whether the request or the site named the branch. Otherwise the repository's default branch is
   * used.
   */
  isNamed: boolean;
  access: RemoteAccess;
  /** Reads the credential with its secret; null if there is none. */
  secret: () => Promise<RepositoryCredential | null>;
  /** A new credential that is not in the database yet. */
  fresh?: NewCredential;
}

type NewCredential = Exclude<RepositoryCredential, { kind: 'deploy-key' }>;

/** The result of a check, with the ssh keys of the repository's server as lines of known_hosts. */
export interface CandidateCheck {
  result: RepositoryCheck;
  knownHosts?: string;
  /** The files of the site's folder. Absent if they could not be read. */
  tree?: Tree;
}

/**
 * Validates the repository of a request.
 * @param currentRepository the site's current repository. If the URL is the same, absent fields
 *   keep its values.
 * @throws DomainError INVALID_INPUT; NOT_FOUND for an unknown deploy key
 */
export async function readCandidate(
  { credentials, forGit }: Pick<CandidateRepositoryDeps, 'credentials' | 'forGit'>,
  organizationId: string,
  repositoryInput: RepositoryInput,
  currentRepository?: SiteRepository,
): Promise<RepositoryCandidate> {
  const url =
    currentRepository && isCurrentUrl(repositoryInput.url, currentRepository)
      ? currentRepository.url
      : checkRepositoryUrl(repositoryInput.url, { allowLocal: false });
  const isSame = url === currentRepository?.url;
  const isGuarded = isSame ? currentRepository.isGuarded : true;
  const namedFields = {
    ...(isSame && { branch: currentRepository.branch, root: currentRepository.root }),
    ...withoutUndefined(repositoryInput),
  };
  const root = checkRoot(
    trimEndCharacters((namedFields.root ?? '').replace(/^(\.?\/+|\.$)/, ''), '/'),
  );
  const keptCredential =
    isSame && repositoryInput.credential === undefined ? currentRepository.credential : undefined;
  const { fresh: newCredential, ...storedCredential } = await readCredential(
    credentials,
    organizationId,
    repositoryInput.credential,
  );
  const credential = keptCredential ?? storedCredential.credential;
  const credentialKind = newCredential?.kind ?? credential?.kind;
  if (isGuarded) refuseCredentialMismatch(url, credentialKind);
  const readSecret = async (): Promise<RepositoryCredential | null> =>
    newCredential ?? (credential ? credentials.open(credential.credentialId) : null);
  const readGitCredential = async (): Promise<GitCredential | null> => {
    const repositoryCredential = await readSecret();
    return repositoryCredential && forGit(repositoryCredential, url);
  };
  return {
    url,
    branch: checkBranch(namedFields.branch ?? 'main'),
    root,
    isNamed: namedFields.branch !== undefined,
    secret: readSecret,
    ...withoutUndefined({ isGuarded, credential, fresh: newCredential }),
    access: { isGuarded: isGuarded ?? false, credential: readGitCredential, knownHosts: '' },
  };
}

async function readCredential(
  credentials: CandidateRepositoryDeps['credentials'],
  organizationId: string,
  credentialInput: CredentialInput | null | undefined,
): Promise<{ credential?: SiteCredential; fresh?: NewCredential }> {
  if (!credentialInput) return {};
  if (credentialInput.type === 'token') {
    const { username = USERNAME, token } = credentialInput;
    return { fresh: { kind: 'token', username, token } };
  }
  if (credentialInput.type === 'github-app') {
    const { appId, installationId = null, privateKey } = credentialInput;
    return { fresh: { kind: 'github-app', appId, installationId, privateKey } };
  }
  return {
    credential: await credentials.findDeployKey(organizationId, credentialInput.deployKeyId),
  };
}

/**
 * Checks a candidate over the network, in a clone for the given site. Finds the branch, the
 * pages and the ssh keys of the server.
 * @throws DomainError UNAVAILABLE after four minutes; the signal's reason
 */
export async function checkCandidate(
  deps: CandidateRepositoryDeps,
  site: Omit<OpenableSite, 'repository'>,
  candidate: RepositoryCandidate,
  signal: AbortSignal,
): Promise<CandidateCheck> {
  const { url, branch, root, isNamed, access, fresh, credential } = candidate;
  const found: Omit<CandidateCheck, 'result'> = {};
  const checkInput = {
    siteId: site.siteId,
    organizationId: site.organizationId,
    ownHost: site.ownHost,
    url,
    root,
    branch: isNamed ? branch : undefined,
    access: { ...access, onKnownHosts: (lines: string) => (found.knownHosts = lines) },
    onTree: (tree: Tree) => (found.tree = tree),
    credential: fresh?.kind ?? credential?.kind ?? null,
  };
  const result = await withinCheckTime(signal, (endSignal) =>
    checkRepository(deps, checkInput, endSignal),
  );
  return { result, ...found };
}

/** Stores the candidate's new credential, and returns the repository to store with the site. */
export async function storeCandidate(
  { credentials }: Pick<CandidateRepositoryDeps, 'credentials'>,
  organizationId: string,
  candidate: RepositoryCandidate,
  candidateCheck: CandidateCheck,
): Promise<SiteRepository> {
  const { url, root, isGuarded, fresh: newCredential } = candidate;
  const credential = newCredential
    ? await storeCredential(credentials, organizationId, newCredential)
    : candidate.credential;
  const branch = candidateCheck.result.branch!;
  return {
    url,
    branch,
    root,
    ...withoutUndefined({ isGuarded, credential, knownHosts: candidateCheck.knownHosts }),
  };
}

const storeCredential = (
  credentials: CandidateRepositoryDeps['credentials'],
  organizationId: string,
  newCredential: NewCredential,
): Promise<SiteCredential> =>
  newCredential.kind === 'token'
    ? credentials.addToken(organizationId, newCredential)
    : credentials.addGitHubApp(organizationId, newCredential);

/** Stands for the URL of a local repository in responses. */
export const LOCAL_REPOSITORY = 'local';

/** Whether a URL in a request means the site's current repository. */
const isCurrentUrl = (url: string, currentRepository: SiteRepository) =>
  url === currentRepository.url ||
  (url === LOCAL_REPOSITORY && currentRepository.url.startsWith('file:'));

function refuseCredentialMismatch(url: string, credentialKind: CredentialKind | undefined) {
  const protocol = parseRemoteHost(url)?.protocol;
  const createError = (message: string) =>
    new DomainError('INVALID_INPUT', message, { details: { of: 'credential' } });
  if (protocol === 'https' && credentialKind === 'deploy-key')
    throw createError(
      'A deploy key only works with an ssh URL, such as git@host:team/site.git. Use an access token for this URL.',
    );
  if (protocol === 'ssh' && credentialKind !== 'deploy-key')
    throw createError('An ssh URL needs a deploy key. Create one, or use the https URL.');
}

/** Runs work with a time limit, because a request must not wait for a slow repository for ever. */
async function withinCheckTime<T>(
  signal: AbortSignal,
  work: (endSignal: AbortSignal) => Promise<T>,
): Promise<T> {
  const timeoutSignal = AbortSignal.timeout(CHECK_MS);
  try {
    return await work(AbortSignal.any([signal, timeoutSignal]));
  } catch (error) {
    signal.throwIfAborted();
    if (!timeoutSignal.aborted) throw error;
    const reason = `The repository could not be read within ${CHECK_MS / 60_000} minutes`;
    throw new DomainError('UNAVAILABLE', 'The repository does not respond', {
      retryable: true,
      reason,
      cause: error,
    });
  }
}
