import type { Credential, GitCredential } from '../contract/site.ts';
import { DomainError } from '../errors.ts';
import type { Api, ApiOptions, Tokens } from './api.ts';
import type { Forge } from './forge.ts';

/** What belongs to a credential: its tokens and limits. */
export interface Connection {
  api: Api;
  gitCredential(signal: AbortSignal): Promise<GitCredential>;
}

export interface ConnectOptions extends Omit<ApiOptions, 'headers' | 'tokens'> {
  project: string;
  credential: Credential;
}

/** A kind of forge. */
export interface ForgeAdapter {
  /** @throws DomainError CONFIGURATION for a credential that the forge's API does not take */
  connect(options: ConnectOptions): Connection;
  create(options: { api: Api; apiUrl: string; project: string }): Forge;
}

/** A token that stays as it is. */
export const fixedToken = (authorization: string): Tokens => ({
  authorization: () => Promise.resolve(authorization),
  forget: () => false,
});

export const wrongCredential = ({ kind }: Credential, expected: string) =>
  new DomainError('CONFIGURATION', `A forge's API takes no ${kind}: expected ${expected}`);
