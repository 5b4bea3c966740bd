import type { RepositoryCredential, GitCredential } from '../contract/site.ts';
import { DomainError } from '../errors.ts';
import type { ForgeApi, ForgeApiOptions, TokenSource } from './forgeApi.ts';
import type { ForgeProject } from './forgeProject.ts';

/** One credential at a forge: the API, and what git takes for the same project. */
export interface ForgeConnection {
  api: ForgeApi;
  gitCredential(signal: AbortSignal): Promise<GitCredential>;
}

export interface ForgeConnectOptions extends Omit<ForgeApiOptions, 'headers' | 'tokens'> {
  project: string;
  credential: RepositoryCredential;
}

/** A kind of forge, such as github/. forges.ts keeps its connections and creates projects. */
export interface ForgeAdapter {
  /** @throws DomainError CONFIGURATION if the API does not accept this kind of credential */
  connect(options: ForgeConnectOptions): ForgeConnection;
  create(options: { api: ForgeApi; apiUrl: string; project: string }): ForgeProject;
}

/** The source of a token that never changes. */
export const createFixedToken = (authorization: string): TokenSource => ({
  authorization: () => Promise.resolve(authorization),
  forget: () => false,
});

export const wrongCredentialError = ({ kind }: RepositoryCredential, expected: string) =>
  new DomainError(
    'CONFIGURATION',
    `The API of this forge does not accept a ${kind} credential. Expected ${expected}`,
  );
