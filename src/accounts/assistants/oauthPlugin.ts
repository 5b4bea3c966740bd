import { oauthProvider } from '@better-auth/oauth-provider';
import { APIError } from 'better-auth/api';
import type { Assistants } from './assistants.ts';
import { CONSENT_PAGE, SCOPES } from './authorization.ts';
import { sha256, tokenPrefixes } from './tokens.ts';

const MINUTE = 60;
const DAY = 24 * 3600;
/** How long codes and tokens are valid, in seconds. */
const tokenLifetimes = {
  codeExpiresIn: 5 * MINUTE,
  accessTokenExpiresIn: 30 * MINUTE,
  refreshTokenExpiresIn: 30 * DAY,
  /** How long a program may repeat a refresh, in case it lost the answer. */
  refreshTokenReuseInterval: 30,
};

/**
 * Sets up better-auth's OAuth 2.1 provider on our tables. Tokens are random texts, which are looked
 * up at each use, so a connection's tokens stop working as soon as it ends.
 */
export function oauthPlugin(
  assistants: Pick<Assistants, 'resource' | 'chosenOrganization' | 'isConnected'>,
) {
  return oauthProvider({
    ...tokenLifetimes,
    schema: oauthTables,
    scopes: SCOPES,
    grantTypes: ['authorization_code', 'refresh_token'],
    resources: [assistants.resource()],
    enforcePerClientResources: false,
    loginPage: '/sign-in',
    consentPage: CONSENT_PAGE,
    postLogin: {
      page: CONSENT_PAGE,
      shouldRedirect: () => false,
      consentReferenceId: () => assistants.chosenOrganization(),
    },
    disableJwtPlugin: true,
    storeTokens: { hash: (token) => Promise.resolve(sha256(token)) },
    prefix: { opaqueAccessToken: tokenPrefixes.access, refreshToken: tokenPrefixes.refresh },
    async customTokenResponseFields({ user, verificationValue }) {
      if (!verificationValue) return {}; // a refresh token ends with the connection
      const { referenceId: organizationId = '', query } = verificationValue;
      const exchange = { clientId: query.client_id, userId: user?.id ?? '', organizationId };
      if (await assistants.isConnected(exchange)) return {};
      throw new APIError('BAD_REQUEST', {
        error: 'invalid_grant',
        error_description: 'The person has disconnected this program',
      });
    },
  });
}

const timeColumns = { createdAt: 'created_at', updatedAt: 'updated_at' };
const grantColumns = {
  clientId: 'client_id',
  userId: 'user_id',
  referenceId: 'organization_id',
  requestedUserInfoClaims: 'requested_user_info_claims',
};
const tokenColumns = {
  ...grantColumns,
  sessionId: 'session_id',
  authorizationCodeId: 'authorization_code_id',
  createdAt: 'created_at',
  expiresAt: 'expires_at',
};

const oauthTables = {
  oauthClient: {
    modelName: 'oauth_clients',
    fields: {
      clientId: 'client_id',
      redirectUris: 'redirect_uris',
      tokenEndpointAuthMethod: 'token_endpoint_auth_method',
      createdAt: 'created_at',
    },
  },
  oauthResource: {
    modelName: 'oauth_resources',
    fields: {
      ...timeColumns,
      accessTokenTtl: 'access_token_ttl',
      refreshTokenTtl: 'refresh_token_ttl',
      signingAlgorithm: 'signing_algorithm',
      signingKeyId: 'signing_key_id',
      allowedScopes: 'allowed_scopes',
      customClaims: 'custom_claims',
      dpopBoundAccessTokensRequired: 'dpop_bound_access_tokens_required',
      policyVersion: 'policy_version',
    },
  },
  oauthConsent: { modelName: 'oauth_connections', fields: { ...timeColumns, ...grantColumns } },
  oauthRefreshToken: {
    modelName: 'oauth_refresh_tokens',
    fields: {
      ...tokenColumns,
      authTime: 'auth_time',
      rotatedAt: 'rotated_at',
      rotationReplayResponse: 'rotation_replay_response',
      rotationReplayExpiresAt: 'rotation_replay_expires_at',
    },
  },
  oauthAccessToken: {
    modelName: 'oauth_access_tokens',
    fields: { ...tokenColumns, refreshId: 'refresh_id' },
  },
};
