import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { promisify } from 'node:util';
import type { GitHubApp } from '../../contract/site.ts';
import { DomainError } from '../../errors.ts';
import { createSingleFlight } from '../../singleFlight.ts';
import type { ForgeApi, TokenSource } from '../forgeApi.ts';
import { forgePath, projectPath } from '../forgePaths.ts';
import * as schemas from './schemas.ts';

/** The most characters of a PEM file. The file of a key of 4,096 bits has 3,300. */
const MAX_PEM_LENGTH = 8_000;
const MIN_KEY_BITS = 2_048;
const MAX_KEY_BITS = 4_096;
const MAX_EXPONENT = 65_537n;

const MINUTE_MS = 60_000;
/** GitHub allows at most 10 minutes, by its own clock, which may differ from ours. */
const JWT_MINUTES = 9;
/** A token is not used in its last 5 minutes, because a push or a fetch may take that long. */
const SPARE_MS = 5 * MINUTE_MS;

/** The tokens of one installation of a GitHub App, which is the App in one account's projects. */
export interface AppTokens extends TokenSource {
  /** A token for the API and for git, valid for 5 minutes at least. */
  token(signal: AbortSignal): Promise<string>;
}

/**
 * The App's own authorization, a signed JSON Web Token, with which it requests tokens
 * (docs.github.com: Generating a JSON Web Token for a GitHub App). `authorization` throws
 * FORGE_REFUSED if the App's key is not a private RSA key of a usual size in PEM.
 */
export function appAuthorization({ appId, privateKey }: GitHubApp): TokenSource {
  let appKey: KeyObject | undefined;
  return {
    async authorization() {
      appKey ??= readAppKey(privateKey);
      const nowSeconds = Math.floor(Date.now() / 1000);
      const claims = { iat: nowSeconds - 60, exp: nowSeconds + JWT_MINUTES * 60, iss: appId };
      const unsignedJwt = `${encodeJwtPart({ alg: 'RS256', typ: 'JWT' })}.${encodeJwtPart(claims)}`;
      const signature = await signInPool('sha256', Buffer.from(unsignedJwt), appKey);
      return `Bearer ${unsignedJwt}.${signature.toString('base64url')}`;
    },
    forget: () => false,
  };
}

const encodeJwtPart = (jwtPart: object) =>
  Buffer.from(JSON.stringify(jwtPart)).toString('base64url');

/** Signs in a thread of libuv's pool. On the main thread, a large key would stop all requests. */
const signInPool = promisify(sign) as (
  algorithm: string,
  data: Buffer,
  appKey: KeyObject,
) => Promise<Buffer>;

/** Whether a signature takes only milliseconds. With a key of 20,000 bits, it took 44 seconds. */
function isCheapKey({ asymmetricKeyDetails: details }: KeyObject): boolean {
  const { modulusLength = 0, publicExponent = 0n } = details ?? {};
  const isUsualSize = modulusLength >= MIN_KEY_BITS && modulusLength <= MAX_KEY_BITS;
  return isUsualSize && publicExponent <= MAX_EXPONENT;
}

/** The file of a key that is not encrypted. OpenSSL writes PKCS #1 and PKCS #8, GitHub PKCS #1. */
const pemPattern =
  /^-----BEGIN (RSA )?PRIVATE KEY-----([\w+/=\s]+)-----END (RSA )?PRIVATE KEY-----$/;
/** The first bytes of PKCS #8 with an RSA key, in hexadecimal digits (RFC 5208 and RFC 8017). */
const pkcs8Pattern = /^3082[\da-f]{4}020100300d06092a864886f70d0101010500/;

/**
 * Parses the file of an RSA key, and of no other kind. OpenSSL computes the public part of a DSA
 * and of a Diffie-Hellman key while it parses the file, which takes a second for 10,000 bits.
 */
function parseRsaKey(pem: string): KeyObject | undefined {
  const [, rsaWord, base64] = pemPattern.exec(pem.trim()) ?? [];
  if (base64 === undefined) return undefined;
  const derBytes = Buffer.from(base64, 'base64');
  if (rsaWord !== undefined)
    return createPrivateKey({ key: derBytes, format: 'der', type: 'pkcs1' });
  const isRsa = pkcs8Pattern.test(derBytes.subarray(0, 64).toString('hex'));
  return isRsa ? createPrivateKey({ key: derBytes, format: 'der', type: 'pkcs8' }) : undefined;
}

function readAppKey(privateKey: string): KeyObject {
  try {
    const appKey = privateKey.length > MAX_PEM_LENGTH ? undefined : parseRsaKey(privateKey);
    if (appKey && isCheapKey(appKey)) return appKey;
  } catch {
    // OpenSSL's words may repeat a part of the key
  }
  throw new DomainError(
    'FORGE_REFUSED',
    `The private key of the GitHub App can't be read. Expected the PEM file of an RSA key of ${MIN_KEY_BITS} to ${MAX_KEY_BITS} bits, as GitHub creates it`,
  );
}

/**
 * Requests the App's tokens for one project. A token is valid for an hour, and is used again until
 * 5 minutes before its end.
 * @param api the API with `appAuthorization`
 */
export function createAppTokens(
  api: ForgeApi,
  { project, installationId }: { project: string } & Pick<GitHubApp, 'installationId'>,
): AppTokens {
  const shareFlight = createSingleFlight<string>();
  const projectRoot = projectPath('github', project);
  let cachedToken = { token: '', until: 0 };

  async function requestToken(signal: AbortSignal): Promise<string> {
    const what = 'find the installation of the GitHub App';
    const installation =
      installationId ??
      (
        await api.read(
          { what, path: `${projectRoot}/installation`, answer: schemas.gitHubInstallationSchema },
          signal,
        )
      ).id;
    const request = {
      what: 'create a token for the GitHub App',
      method: 'POST' as const,
      path: forgePath`/app/installations/${installation}/access_tokens`,
      body: { repositories: [project.split('/')[1]] },
      answer: schemas.gitHubInstallationTokenSchema,
    };
    const { token, expires_at: end } = await api.write(request, signal);
    cachedToken = { token, until: Date.parse(end) - SPARE_MS };
    return token;
  }

  const token = async (signal: AbortSignal) =>
    Date.now() < cachedToken.until ? cachedToken.token : shareFlight('', requestToken, signal);
  return {
    token,
    authorization: async (signal) => `Bearer ${await token(signal)}`,
    forget() {
      cachedToken = { token: '', until: 0 };
      return true;
    },
  };
}
