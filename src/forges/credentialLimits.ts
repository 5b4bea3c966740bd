import { DomainError } from '../errors.ts';
import type { HttpResponse } from './forgeProject.ts';

/** The longest wait, even if a forge names a longer one. */
const LONGEST_MS = 60 * 60_000;
/** The wait if a forge limits requests and names no time, as GitHub documents. */
const UNNAMED_MS = 60_000;
/** How many bytes of an answer are searched for a reason. */
export const MAX_REASON_BYTES = 64_000;

/** The rate limits of one credential at a forge. */
export interface CredentialLimits {
  /** Call it before a request. @throws DomainError UNAVAILABLE until the limit ends */
  check(): void;
  /** Call it after a request. Remembers what the answer says about limits. */
  note(response: HttpResponse): void;
}

export function createCredentialLimits(host: string): CredentialLimits {
  let limitEnd = 0;
  return {
    check() {
      const retryAfter = limitEnd - Date.now();
      if (retryAfter > 0) throw rateLimited(host, retryAfter);
    },
    note(response) {
      const waitMs = limitWaitMs(response);
      if (waitMs !== undefined) limitEnd = Math.max(limitEnd, Date.now() + waitMs);
    },
  };
}

export const rateLimited = (host: string, retryAfter: number, cause?: unknown) =>
  new DomainError(
    'UNAVAILABLE',
    `${host} limits the requests of this credential and accepts the next one in ${Math.ceil(retryAfter / 1000)} s`,
    { retryable: true, retryAfter, cause },
  );

/**
 * Milliseconds until the next request to the forge; undefined if it may be sent at once. A 403 is a
 * rate limit only if it has `retry-after`, says that no requests remain, or has the words of
 * GitHub's secondary limits. Otherwise it is a missing right.
 */
export function limitWaitMs({ status, headers, body }: HttpResponse): number | undefined {
  const isRefused = status === 403 || status === 429;
  if (isRefused && headers['retry-after'] !== undefined)
    return limitWait(millisecondsOf(headers['retry-after']));
  if (areRequestsUsedUp({ headers }))
    return limitWait(Number(limitHeader(headers, 'reset')) * 1000 - forgeNow(headers));
  const isSecondary = status === 429 || (status === 403 && namesSecondaryLimit(body));
  return isSecondary ? UNNAMED_MS : undefined;
}

const namesSecondaryLimit = (body: Buffer) =>
  /secondary[ -]rate|abuse/i.test(body.subarray(0, MAX_REASON_BYTES).toString());

const areRequestsUsedUp = ({ headers }: Pick<HttpResponse, 'headers'>) =>
  headers['retry-after'] === undefined &&
  limitHeader(headers, 'remaining') === '0' &&
  limitHeader(headers, 'reset') !== undefined;

/** A field about rate limits: GitHub's `x-ratelimit-reset`, or GitLab's `ratelimit-reset`. */
const limitHeader = (headers: HttpResponse['headers'], name: 'remaining' | 'reset') =>
  headers[`x-ratelimit-${name}`] ?? headers[`ratelimit-${name}`];

/** Milliseconds that `retry-after` names: seconds, or a date (RFC 9110). */
export function millisecondsOf(retryAfter: string): number {
  return /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - Date.now();
}

/** The time of the forge's clock, to which the end of a limit refers. */
const forgeNow = (headers: HttpResponse['headers']) =>
  Date.parse(headers['date'] ?? '') || Date.now();

export const limitWait = (waitMs: number) =>
  Number.isNaN(waitMs) ? UNNAMED_MS : Math.min(Math.max(waitMs, 1000), LONGEST_MS);
