import { DomainError } from '../errors.ts';
import type { HttpResponse } from './forgeProject.ts';

/** Nobody is believed who names a longer wait. */
const LONGEST_MS = 60 * 60_000;
/** The wait where a forge limits requests without naming one, as GitHub documents. */
const UNNAMED_MS = 60_000;
/** Bytes of an answer in which a reason is looked for. */
export const MAX_REASON_BYTES = 64_000;

/** The rate limits of one credential at a forge. */
export interface CredentialLimits {
  /** @throws DomainError UNAVAILABLE before a limit's end, without asking the forge */
  check(): void;
  /** Remembers what an answer says of limits. */
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
 * Milliseconds until the forge may be asked again; undefined if at once. A 403 is a limit only if
 * it says so: by `retry-after`, no remaining requests, or the words of GitHub's secondary limits.
 */
export function limitWaitMs({ status, headers, body }: HttpResponse): number | undefined {
  const isRefused = status === 403 || status === 429;
  if (isRefused && headers['retry-after'] !== undefined)
    return limitWait(millisecondsOf(headers['retry-after']));
  if (areRequestsUsedUp({ headers }))
    return limitWait(Number(headers['x-ratelimit-reset']) * 1000 - forgeNow(headers));
  const isSecondary = status === 429 || (status === 403 && namesSecondaryLimit(body));
  return isSecondary ? UNNAMED_MS : undefined;
}

const namesSecondaryLimit = (body: Buffer) =>
  /secondary[ -]rate|abuse/i.test(body.subarray(0, MAX_REASON_BYTES).toString());

const areRequestsUsedUp = ({ headers }: Pick<HttpResponse, 'headers'>) =>
  headers['retry-after'] === undefined &&
  headers['x-ratelimit-remaining'] === '0' &&
  headers['x-ratelimit-reset'] !== undefined;

/** Milliseconds that `retry-after` names: seconds, or a date (RFC 9110). */
export function millisecondsOf(retryAfter: string): number {
  return /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - Date.now();
}

/** The forge's time: resets are told by its clock. */
const forgeNow = (headers: HttpResponse['headers']) =>
  Date.parse(headers['date'] ?? '') || Date.now();

export const limitWait = (waitMs: number) =>
  Number.isNaN(waitMs) ? UNNAMED_MS : Math.min(Math.max(waitMs, 1000), LONGEST_MS);
