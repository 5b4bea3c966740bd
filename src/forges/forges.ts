import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type {
  RepositoryCredential,
  ForgeKind,
  GitCredential,
  ExternalHost,
} from '../contract/site.ts';
import { DomainError, hasErrorCode } from '../errors.ts';
import type { ForgeConnection, ForgeAdapter } from './adapter.ts';
import { createAnswerCache } from './forgeApi.ts';
import type { ForgeProject, SendHttp } from './forgeProject.ts';
import { github } from './github/github.ts';
import { createCredentialLimits, type CredentialLimits } from './credentialLimits.ts';
import { forgeLocationOf } from './forgeLocation.ts';
import { gitea } from './gitea/gitea.ts';
import { gitlab } from './gitlab/gitlab.ts';

/** Bytes of cached answers. For these, a forge needs to say only whether they have changed. */
const KNOWN_BYTES = 32 * 1024 ** 2;
/** Credentials whose tokens and rate limits are remembered. */
const CREDENTIALS = 10_000;

type ForgeLocation = Pick<ExternalHost, 'forge' | 'apiUrl' | 'project'>;

export interface ForgeRegistry {
  /**
   * Opens a project at its forge without a request yet. Projects with the same credential share its
   * rate limits.
   * @throws DomainError CONFIGURATION if the forge's API does not accept this kind of credential
   */
  open(location: ForgeLocation, credential: RepositoryCredential): ForgeProject;
  /**
   * The credential with which git accesses the same project. For a GitHub App, it is a token that
   * is valid for at least five minutes. Every other credential is returned as it is.
   * @throws DomainError as `ForgeProject`
   */
  gitCredential(
    location: ForgeLocation,
    credential: RepositoryCredential,
    signal: AbortSignal,
  ): Promise<GitCredential>;
  /**
   * Like `gitCredential`, for a repository by its URL.
   * @throws DomainError GIT_FAILED, as git itself would fail: with the reason `app` if GitHub gives
   *   the App no token for this repository, `unreachable` (retryable) if GitHub does not answer
   */
  gitCredentialAt(
    url: string,
    credential: RepositoryCredential,
    signal: AbortSignal,
  ): Promise<GitCredential>;
}

const adapters: Record<ForgeKind, ForgeAdapter> = {
  github,
  gitea,
  forgejo: gitea,
  gitlab,
};

/**
 * Opens the projects of sites at their forges. A forge keeps a site's repository and its pull
 * requests, and hosts report their builds there: GitHub, Gitea, Forgejo and GitLab.
 *
 * - forgeProject.ts is the port: read reports, open and merge pull requests.
 * - github/, gitea/ (also for Forgejo) and gitlab/ implement it: requests.ts has the requests,
 *   schemas.ts the answers. adapter.ts says what each of them exports.
 * - forgeLocation.ts derives APIs and projects from URLs.
 * - forgeApi.ts sends requests, with apiErrors.ts, credentialLimits.ts and documentedAnswers.ts.
 * - externalHost.ts, trustedHosts.ts and storeHost.ts read the settings of an external host.
 * - webhooks.ts reads what a forge sends. checkForge.ts tests a new connection.
 *
 * `open({ forge: 'github', apiUrl: 'https://api.github.com', project: 'team/site' }, credential)` →
 * a project, whose `reports(commit, signal)` → `[{ of: 'deployment', state: 'success', url: … }]`
 * @param options.send sends requests to allowed addresses only
 */
export function createForgeRegistry({ send }: { send: SendHttp }): ForgeRegistry {
  const answerCache = createAnswerCache(KNOWN_BYTES);
  const limits = new LRUCache<string, CredentialLimits>({ max: CREDENTIALS });
  const connections = new LRUCache<string, ForgeConnection>({ max: CREDENTIALS });

  function findLimits(location: ForgeLocation, credential: RepositoryCredential): CredentialLimits {
    const id = rateLimitId(location, credential);
    const limitsOfId = limits.get(id) ?? createCredentialLimits(new URL(location.apiUrl).host);
    limits.set(id, limitsOfId);
    return limitsOfId;
  }

  function connect(location: ForgeLocation, credential: RepositoryCredential): ForgeConnection {
    const id = connectionId(location, credential);
    const options = {
      credential,
      send,
      known: answerCache,
      id,
      limits: findLimits(location, credential),
    };
    const connection =
      connections.get(id) ?? adapters[location.forge].connect({ ...location, ...options });
    connections.set(id, connection);
    return connection;
  }

  const gitCredential: ForgeRegistry['gitCredential'] = async (location, credential, signal) =>
    credential.kind === 'github-app'
      ? connect(location, credential).gitCredential(signal)
      : credential;

  return {
    gitCredential,
    async gitCredentialAt(url, credential, signal) {
      if (credential.kind !== 'github-app') return credential;
      const { apiUrl, project } = forgeLocationOf(url, 'github');
      if (apiUrl === null || project === null) throw gitAppFailed(NOT_OF_GITHUB);
      const location = { forge: 'github', apiUrl, project } as const;
      return gitCredential(location, credential, signal).catch(throwGitFailure);
    },
    open: (location, credential) =>
      adapters[location.forge].create({ ...location, api: connect(location, credential).api }),
  };
}

const NOT_OF_GITHUB =
  'A GitHub App requires a repository with an https URL of GitHub, such as https://github.com/team/site.git';

const gitAppFailed = (message: string, cause?: unknown) =>
  new DomainError('GIT_FAILED', message, { details: { reason: 'app' }, cause });

function throwGitFailure(error: unknown): never {
  if (hasErrorCode(error, 'FORGE_REFUSED')) throw gitAppFailed(error.message, error);
  if (!hasErrorCode(error, 'UNAVAILABLE')) throw error;
  const { message, retryAfter } = error;
  throw new DomainError('GIT_FAILED', message, {
    retryable: true,
    details: { reason: 'unreachable' },
    cause: error,
    ...(retryAfter !== undefined && { retryAfter }),
  });
}

/** Identifies a credential at a forge by a hash. A GitHub App's tokens are for one project only. */
const connectionId = (
  { forge, apiUrl, project }: ForgeLocation,
  credential: RepositoryCredential,
) => digestParts([forge, apiUrl, credential, credential.kind === 'github-app' && project]);

/** Identifies what rate limits apply to: for a GitHub App, its installation at one owner. */
const rateLimitId = ({ forge, apiUrl, project }: ForgeLocation, credential: RepositoryCredential) =>
  digestParts([
    forge,
    apiUrl,
    credential,
    credential.kind === 'github-app' && project.split('/')[0],
  ]);

const digestParts = (parts: unknown[]) =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
