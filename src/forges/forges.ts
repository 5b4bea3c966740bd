import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Credential, ForgeKind, GitCredential, OwnHost } from '../contract/site.ts';
import { DomainError, hasCode } from '../errors.ts';
import type { Connection, ForgeAdapter } from './adapter.ts';
import { knownAnswers } from './api.ts';
import type { Forge, Send } from './forge.ts';
import { github } from './github/github.ts';
import { createLimits, type Limits } from './limits.ts';
import { placeOf } from './placeOf.ts';
import { gitea } from './gitea/gitea.ts';

/** Bytes of answers that are kept, so that the forges tell only whether they changed. */
const KNOWN_BYTES = 32 * 1024 ** 2;
/** Credentials whose tokens and rate limits are remembered. */
const CREDENTIALS = 10_000;

type Place = Pick<OwnHost, 'forge' | 'apiUrl' | 'project'>;

export interface Forges {
  /**
   * Opens a project at its forge, and asks the forge nothing yet. Projects of one credential share
   * its rate limits.
   * @throws DomainError CONFIGURATION for a credential that the forge's API does not take
   */
  open(place: Place, credential: Credential): Forge;
  /**
   * What git takes for the same project: a GitHub App's token, which is valid for some minutes at
   * least; other credentials as they are.
   * @throws DomainError as `Forge`
   */
  gitCredential(place: Place, credential: Credential, signal: AbortSignal): Promise<GitCredential>;
  /**
   * What git takes for the repository at an address.
   * @throws DomainError GIT_FAILED, as git would fail: with the reason `app` where GitHub gives the
   *   App no token for this repository, `unreachable` (retryable) where GitHub does not answer
   */
  gitCredentialAt(url: string, credential: Credential, signal: AbortSignal): Promise<GitCredential>;
}

const adapters: Record<ForgeKind, ForgeAdapter> = {
  github,
  gitea,
  forgejo: gitea,
};

/**
 * Creates the ports of all forges.
 * @param options.send sends requests to allowed addresses only
 */
export function createForges({ send }: { send: Send }): Forges {
  const known = knownAnswers(KNOWN_BYTES);
  const limits = new LRUCache<string, Limits>({ max: CREDENTIALS });
  const connections = new LRUCache<string, Connection>({ max: CREDENTIALS });

  function limitsOf(place: Place, credential: Credential): Limits {
    const id = limitedAs(place, credential);
    const found = limits.get(id) ?? createLimits(new URL(place.apiUrl).host);
    limits.set(id, found);
    return found;
  }

  function connect(place: Place, credential: Credential): Connection {
    const id = identityOf(place, credential);
    const options = { credential, send, known, id, limits: limitsOf(place, credential) };
    const connection =
      connections.get(id) ?? adapters[place.forge].connect({ ...place, ...options });
    connections.set(id, connection);
    return connection;
  }

  const gitCredential: Forges['gitCredential'] = async (place, credential, signal) =>
    credential.kind === 'github-app'
      ? connect(place, credential).gitCredential(signal)
      : credential;

  return {
    gitCredential,
    async gitCredentialAt(url, credential, signal) {
      if (credential.kind !== 'github-app') return credential;
      const { apiUrl, project } = placeOf(url, 'github');
      if (apiUrl === null || project === null) throw gitFailed(notOfGitHub);
      const place = { forge: 'github', apiUrl, project } as const;
      return gitCredential(place, credential, signal).catch(asGitFailure);
    },
    open: (place, credential) =>
      adapters[place.forge].create({ ...place, api: connect(place, credential).api }),
  };
}

const notOfGitHub =
  'A GitHub App is for repositories with an https address of GitHub, such as https://github.com/team/site.git';

const gitFailed = (message: string, cause?: unknown) =>
  new DomainError('GIT_FAILED', message, { details: { reason: 'app' }, cause });

function asGitFailure(error: unknown): never {
  if (hasCode(error, 'FORGE_REFUSED')) throw gitFailed(error.message, error);
  if (!hasCode(error, 'UNAVAILABLE')) throw error;
  const { message, retryAfter } = error;
  throw new DomainError('GIT_FAILED', message, {
    retryable: true,
    details: { reason: 'unreachable' },
    cause: error,
    ...(retryAfter !== undefined && { retryAfter }),
  });
}

/** Names a credential at a forge, without its secret. A GitHub App's tokens are for one project. */
const identityOf = ({ forge, apiUrl, project }: Place, credential: Credential) =>
  digestOf([forge, apiUrl, credential, credential.kind === 'github-app' && project]);

/** Names what rate limits are of. A GitHub App's are of one installation, so of one owner. */
const limitedAs = ({ forge, apiUrl, project }: Place, credential: Credential) =>
  digestOf([forge, apiUrl, credential, credential.kind === 'github-app' && project.split('/')[0]]);

const digestOf = (parts: unknown[]) =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
