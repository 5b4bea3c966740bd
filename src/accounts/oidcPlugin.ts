import type { BetterAuthPlugin } from 'better-auth';
import { APIError, getOAuthState } from 'better-auth/api';
import type { OidcIdentity, OidcClient } from './oidcClient.ts';
import { PROVIDER } from './signUpRules.ts';

/** Signs people in at the OIDC provider. better-auth stores the state, and begins the session. */
export function oidcPlugin(client: OidcClient): BetterAuthPlugin {
  const provider = createProvider(client);
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

interface SignInRequest {
  codeVerifier?: string | undefined;
  redirectURI: string;
}

const signInParameters = (
  { codeVerifier = '', redirectURI: redirectUri }: SignInRequest,
  nonce = '',
) => ({
  nonce,
  codeVerifier,
  redirectUri,
});

const createProvider = (client: OidcClient) => ({
  id: PROVIDER,
  name: PROVIDER,
  requiresIdTokenNonce: true,
  get issuer() {
    return client.issuer;
  },
  createAuthorizationURL: (
    signInRequest: SignInRequest & { state: string; idTokenNonce?: string | undefined },
  ) =>
    client
      .addressOf({
        ...signInParameters(signInRequest, signInRequest.idTokenNonce),
        state: signInRequest.state,
      })
      .catch(() => {
        throw new APIError('SERVICE_UNAVAILABLE', { code: 'PROVIDER_NOT_FOUND' });
      }),
  async validateAuthorizationCode({ code, ...signInRequest }: SignInRequest & { code: string }) {
    const state = await getOAuthState<{ idTokenNonce?: string }>();
    const identity = await client.identify({
      ...signInParameters(signInRequest, state?.idTokenNonce),
      code,
    });
    return { raw: { identity } }; // without tokens, so that better-auth stores none
  },
  getUserInfo({ raw }: { raw?: Record<string, unknown> | undefined }) {
    const identityData = raw!['identity'] as OidcIdentity;
    const { email, emailVerified, name: personName } = identityData;
    return Promise.resolve({
      user: { email, emailVerified, name: personName },
      data: identityData,
    });
  },
  accountSubject: ({ profile }: { profile: OidcIdentity }) => profile.id,
});
