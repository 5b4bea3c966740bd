import * as openid from 'openid-client';
import type { CustomFetch } from 'openid-client';
import { limitBodyBytes } from '../contract/text/limitBodyBytes.ts';
import { cleanPersonName } from '../contract/text/nameRule.ts';
import { isEmailAddress } from './emailAddress.ts';

/** Seconds to wait for each request. */
const REQUEST_TIMEOUT_S = 4;

export interface OidcSettings {
  issuer: string;
  clientId: string;
  clientSecret: string;
}

/** A person's account at the provider. */
export interface OidcIdentity {
  /**
   * Issuer and subject, which identify a person only together (OpenID Connect Core, section 5.7).
   */
  id: string;
  email: string;
  /** Whether the provider has verified that the e-mail address is the person's. */
  emailVerified: boolean;
  name: string;
}

interface OidcAuthorizationRequest {
  state: string;
  nonce: string;
  codeVerifier: string;
  redirectUri: string;
}

type OidcCodeExchange = Omit<OidcAuthorizationRequest, 'state'> & { code: string };

/**
 * The OIDC provider, where people sign in with the account of their company. Its functions throw an
 * `OidcError`, which contains no tokens and no claims.
 */
export interface OidcClient {
  /** The issuer's name from the provider's metadata; undefined before `discover`. */
  readonly issuer: string | undefined;
  /** Loads the provider's metadata, once. */
  discover(): Promise<void>;
  /** The URL where a person signs in (OpenID Connect Core, section 3.1.2.1). */
  addressOf(way: OidcAuthorizationRequest): Promise<URL>;
  /**
   * Exchanges a code for the person's ID token. Verifies its signature, issuer, audience,
   * authorized party, nonce and times (OpenID Connect Core, section 3.1.3.7).
   */
  identify(way: OidcCodeExchange): Promise<OidcIdentity>;
}

export class OidcError extends Error {}

export function createOidcClient({ issuer, clientId, clientSecret }: OidcSettings): OidcClient {
  let knownConfiguration: openid.Configuration | undefined;
  const issuerUrl = new URL(issuer);

  /** The provider's metadata. A failure is not cached: the next request asks again. */
  const configuration = async () =>
    (knownConfiguration ??= await discoverProvider(issuerUrl, { clientId, clientSecret }));

  return {
    get issuer() {
      return knownConfiguration?.serverMetadata().issuer;
    },
    discover: () => wrapOidcErrors(async () => void (await configuration())),
    addressOf: (signInFlow) =>
      wrapOidcErrors(async () => authorizationUrl(await configuration(), signInFlow)),
    identify: (signInFlow) =>
      wrapOidcErrors(async () => identifyPerson(await configuration(), signInFlow)),
  };
}

async function discoverProvider(
  server: URL,
  { clientId, clientSecret }: Pick<OidcSettings, 'clientId' | 'clientSecret'>,
): Promise<openid.Configuration> {
  const config = await openid.discovery(server, clientId, undefined, authentication(clientSecret), {
    [openid.customFetch]: boundedFetch,
    timeout: REQUEST_TIMEOUT_S,
    execute: [
      openid.enableNonRepudiationChecks, // verifies the ID token's signature
      ...(server.protocol === 'http:' ? [openid.allowInsecureRequests] : []),
    ],
  });
  if (!config.serverMetadata().jwks_uri) throw new OidcError('it does not publish any keys');
  return config;
}

async function authorizationUrl(
  config: openid.Configuration,
  { state, nonce, codeVerifier, redirectUri }: OidcAuthorizationRequest,
): Promise<URL> {
  return openid.buildAuthorizationUrl(config, {
    state,
    nonce,
    redirect_uri: redirectUri,
    scope: 'openid email profile',
    code_challenge: await openid.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
  });
}

async function identifyPerson(
  config: openid.Configuration,
  { code, nonce, codeVerifier, redirectUri }: OidcCodeExchange,
): Promise<OidcIdentity> {
  const callbackUrl = new URL(redirectUri);
  // better-auth has already checked the issuer (RFC 9207) and the state
  callbackUrl.search = new URLSearchParams({
    code,
    iss: config.serverMetadata().issuer,
  }).toString();
  const tokens = await openid.authorizationCodeGrant(config, callbackUrl, {
    pkceCodeVerifier: codeVerifier,
    expectedNonce: nonce,
    expectedState: openid.skipStateCheck,
    idTokenExpected: true,
  });
  const claims = tokens.claims()!;
  const emailClaims =
    (claims['email'] ?? null) === null
      ? await openid.fetchUserInfo(config, tokens.access_token, claims.sub)
      : claims;
  return identityFromClaims(claims, emailClaims);
}

/** 1 to 255 ASCII characters (OpenID Connect Core, section 2). */
const subjectPattern = /^[!-~](?:[ -~]{0,253}[!-~])?$/;

/** The person, from the ID token and the claims that contain the e-mail address. */
function identityFromClaims(
  { iss, sub }: openid.IDToken,
  { email, email_verified, name }: openid.UserInfoResponse | openid.IDToken,
): OidcIdentity {
  if (!subjectPattern.test(sub)) throw new OidcError('The OIDC provider sent an invalid subject');
  if (!isEmailAddress(email)) throw new OidcError('The OIDC provider sent no valid e-mail address');
  const verified: unknown = email_verified;
  return {
    id: `${iss}#${sub}`, // unambiguous, because an issuer has no fragment
    email,
    emailVerified: verified === true || verified === 'true',
    name: cleanPersonName(name, email),
  };
}

/** Authenticates as the provider's metadata asks, by default with `client_secret_post`. */
function authentication(secret: string): openid.ClientAuth {
  const [postAuthentication, basicAuthentication] = [
    openid.ClientSecretPost(secret),
    openid.ClientSecretBasic(secret),
  ];
  return (server, ...request) => {
    const methods: unknown = server.token_endpoint_auth_methods_supported;
    const wantsBasic = Array.isArray(methods) && !methods.includes('client_secret_post');
    return (wantsBasic ? basicAuthentication : postAuthentication)(server, ...request);
  };
}

/**
 * Turns errors into an `OidcError`. Errors of openid-client contain whole responses, with secrets.
 */
async function wrapOidcErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { message, cause } = error as Error;
    const causeWords = cause instanceof Error ? `: ${cause.message}` : '';
    throw new OidcError(`The OIDC provider cannot be used: ${message}${causeWords}`);
  }
}

/** The most bytes of a response that are read. */
const LONGEST = 1024 ** 2;

/** `fetch` for the OIDC provider. Follows no redirects, and reads no more than 1 MB. */
const boundedFetch: CustomFetch = async (url, options) => {
  const response = await fetch(url, { ...(options as RequestInit), redirect: 'manual' });
  const { body, status, headers } = response;
  return new Response(body?.pipeThrough(limitBodyBytes(LONGEST)) ?? null, { status, headers });
};
