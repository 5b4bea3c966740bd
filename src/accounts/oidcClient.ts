import * as openid from 'openid-client';
import type { CustomFetch } from 'openid-client';
import { boundedTo } from '../contract/boundedBody.ts';
import { personNameOf } from '../contract/name.ts';
import { isEmailAddress } from './emailAddress.ts';

/** Seconds to wait for each request. */
const PATIENCE = 4;

export interface Oidc {
  issuer: string;
  clientId: string;
  clientSecret: string;
}

/** A person's account at the provider. */
export interface Identity {
  /**
   * Issuer and subject. Only together do they identify a person (OpenID Connect Core, section 5.7).
   */
  id: string;
  email: string;
  /** Whether the provider has verified that the address belongs to the person. */
  emailVerified: boolean;
  name: string;
}

interface WayThere {
  state: string;
  nonce: string;
  codeVerifier: string;
  redirectUri: string;
}

type WayBack = Omit<WayThere, 'state'> & { code: string };

/**
 * The OIDC provider. Its functions throw an `OidcError`, which contains no tokens and no claims.
 */
export interface OidcClient {
  /** The issuer's name from the provider's metadata; undefined before `discover`. */
  readonly issuer: string | undefined;
  /** Loads the provider's metadata, once. */
  discover(): Promise<void>;
  /** The URL where a person signs in (OpenID Connect Core, section 3.1.2.1). */
  addressOf(way: WayThere): Promise<URL>;
  /**
   * Exchanges a code for the person's ID token. Verifies its signature, issuer, audience,
   * authorized party, nonce and times (OpenID Connect Core, section 3.1.3.7).
   */
  identify(way: WayBack): Promise<Identity>;
}

export class OidcError extends Error {}

export function createOidcClient({ issuer, clientId, clientSecret }: Oidc): OidcClient {
  let known: openid.Configuration | undefined;
  const server = new URL(issuer);

  /** The provider's metadata. A failure is not cached: the next request asks again. */
  const configuration = async () => (known ??= await discover(server, { clientId, clientSecret }));

  return {
    get issuer() {
      return known?.serverMetadata().issuer;
    },
    discover: () => told(async () => void (await configuration())),
    addressOf: (way) => told(async () => addressAt(await configuration(), way)),
    identify: (way) => told(async () => identify(await configuration(), way)),
  };
}

async function discover(
  server: URL,
  { clientId, clientSecret }: Pick<Oidc, 'clientId' | 'clientSecret'>,
): Promise<openid.Configuration> {
  const config = await openid.discovery(server, clientId, undefined, authentication(clientSecret), {
    [openid.customFetch]: boundedFetch,
    timeout: PATIENCE,
    execute: [
      openid.enableNonRepudiationChecks, // verifies the ID token's signature
      ...(server.protocol === 'http:' ? [openid.allowInsecureRequests] : []),
    ],
  });
  if (!config.serverMetadata().jwks_uri) throw new OidcError('It names no keys');
  return config;
}

async function addressAt(
  config: openid.Configuration,
  { state, nonce, codeVerifier, redirectUri }: WayThere,
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

async function identify(
  config: openid.Configuration,
  { code, nonce, codeVerifier, redirectUri }: WayBack,
): Promise<Identity> {
  const back = new URL(redirectUri);
  // better-auth has already checked the issuer (RFC 9207) and the state
  back.search = new URLSearchParams({ code, iss: config.serverMetadata().issuer }).toString();
  const tokens = await openid.authorizationCodeGrant(config, back, {
    pkceCodeVerifier: codeVerifier,
    expectedNonce: nonce,
    expectedState: openid.skipStateCheck,
    idTokenExpected: true,
  });
  const claims = tokens.claims()!;
  const said =
    (claims['email'] ?? null) === null
      ? await openid.fetchUserInfo(config, tokens.access_token, claims.sub)
      : claims;
  return identityOf(claims, said);
}

/** 1 to 255 ASCII characters (OpenID Connect Core, section 2). */
const subject = /^[!-~](?:[ -~]{0,253}[!-~])?$/;

/** @param said the claims that contain the e-mail address, and whether it is verified */
function identityOf(
  { iss, sub }: openid.IDToken,
  { email, email_verified, name }: openid.UserInfoResponse | openid.IDToken,
): Identity {
  if (!subject.test(sub)) throw new OidcError('The subject is no identifier');
  if (!isEmailAddress(email)) throw new OidcError('It gave no e-mail address');
  const verified: unknown = email_verified;
  return {
    id: `${iss}#${sub}`, // unambiguous, because an issuer has no fragment
    email,
    emailVerified: verified === true || verified === 'true',
    name: personNameOf(name, email),
  };
}

/** Authenticates as the provider's metadata asks, by default with `client_secret_post`. */
function authentication(secret: string): openid.ClientAuth {
  const [post, basic] = [openid.ClientSecretPost(secret), openid.ClientSecretBasic(secret)];
  return (server, ...request) => {
    const methods: unknown = server.token_endpoint_auth_methods_supported;
    const wantsBasic = Array.isArray(methods) && !methods.includes('client_secret_post');
    return (wantsBasic ? basic : post)(server, ...request);
  };
}

/**
 * Turns errors into an `OidcError`. Errors of openid-client contain whole responses, with secrets.
 */
async function told<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { message, cause } = error as Error;
    const why = cause instanceof Error ? `: ${cause.message}` : '';
    throw new OidcError(`The OIDC provider can not be used: ${message}${why}`);
  }
}

/** The most bytes of a response that are read. */
const LONGEST = 1024 ** 2;

/** `fetch` for the OIDC provider. Follows no redirects, and reads no more than 1 MB. */
const boundedFetch: CustomFetch = async (url, options) => {
  const response = await fetch(url, { ...(options as RequestInit), redirect: 'manual' });
  const { body, status, headers } = response;
  return new Response(body?.pipeThrough(boundedTo(LONGEST)) ?? null, { status, headers });
};
