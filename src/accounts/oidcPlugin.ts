import type { BetterAuthPlugin } from 'better-auth';
import { APIError, getOAuthState } from 'better-auth/api';
import type { Identity, OidcClient } from './oidcClient.ts';
import { PROVIDER } from './signUp.ts';

/** Signs people in at the OIDC provider. better-auth stores the state, and begins the session. */
export function oidcPlugin(client: OidcClient): BetterAuthPlugin {
  const provider = providerOf(client);
  return {
    id: 'oidc-client',
    // this process may not have begun the sign-in, and then does not know the issuer yet
    async onRequest({ url }) {
      if (new URL(url).pathname.endsWith(`/callback/${PROVIDER}`))
        await client.discover().catch(() => undefined);
    },
    init: ({ socialProviders }) => ({
      context: { socialProviders: [provider, ...socialProviders] as typeof socialProviders },
    }),
  };
}

interface Way {
  codeVerifier?: string | undefined;
  redirectURI: string;
}

const wayOf = ({ codeVerifier = '', redirectURI: redirectUri }: Way, nonce = '') => ({
  nonce,
  codeVerifier,
  redirectUri,
});

const providerOf = (client: OidcClient) => ({
  id: PROVIDER,
  name: PROVIDER,
  requiresIdTokenNonce: true,
  get issuer() {
    return client.issuer;
  },
  createAuthorizationURL: (way: Way & { state: string; idTokenNonce?: string | undefined }) =>
    client.addressOf({ ...wayOf(way, way.idTokenNonce), state: way.state }).catch(() => {
      throw new APIError('SERVICE_UNAVAILABLE', { code: 'PROVIDER_NOT_FOUND' });
    }),
  async validateAuthorizationCode({ code, ...way }: Way & { code: string }) {
    const state = await getOAuthState<{ idTokenNonce?: string }>();
    const identity = await client.identify({ ...wayOf(way, state?.idTokenNonce), code });
    return { raw: { identity } }; // without tokens, so that better-auth stores none
  },
  getUserInfo({ raw }: { raw?: Record<string, unknown> | undefined }) {
    const data = raw!['identity'] as Identity;
    const { email, emailVerified, name: personName } = data;
    return Promise.resolve({ user: { email, emailVerified, name: personName }, data });
  },
  accountSubject: ({ profile }: { profile: Identity }) => profile.id,
});
