import type { RepositoryCredential, GitCredential } from '../contract/site.ts';
import { DomainError } from '../errors.ts';
import type { ForgeApi, ForgeApiOptions, TokenSource } from './forgeApi.ts';
import type { ForgeProject } from './forgeProject.ts';

/** What belongs to a credential: its tokens and limits. */
export interface ForgeConnection {
  api: ForgeApi;
  gitCredential(signal: AbortSignal): Promise<GitCredential>;
}

export interface ForgeConnectOptions extends Omit<ForgeApiOptions, 'headers' | 'tokens'> {
  project: string;
  credential: RepositoryCredential;
}

/** A kind of forge. */
export interface ForgeAdapter {
  /** @throws DomainError CONFIGURATION for a credential that the forge's API does not take */
  connect(options: ForgeConnectOptions): ForgeConnection;
  create(options: { api: ForgeApi; apiUrl: string; project: string }): ForgeProject;
}

/** A token that stays as it is. */
export const createFixedToken = (authorization: string): TokenSource => ({
  authorization: () => Promise.resolve(authorization),
  forget: () => false,
});

export const wrongCredentialError = ({ kind }: RepositoryCredential, expected: string) =>
  new DomainError(
    'CONFIGURATION',
    `The API of this forge does not accept a ${kind} credential. Expected ${expected}`,
  );
