import { DomainError } from '../errors.ts';
import type { Incoming } from './forge.ts';

/** Nobody is believed who names a longer wait. */
const LONGEST_MS = 60 * 60_000;
/** The wait where a forge limits requests without naming one, as GitHub documents. */
const UNNAMED_MS = 60_000;
/** Bytes of an answer in which a reason is looked for. */
export const MAX_REASON_BYTES = 64_000;

/** The rate limits of one credential at a forge. */
export interface Limits {
  /** @throws DomainError UNAVAILABLE before a limit's end, without asking the forge */
  check(): void;
  /** Remembers what an answer says of limits. */
  note(answer: Incoming): void;
}

export function createLimits(host: string): Limits {
  let end = 0;
  return {
    check() {
      const retryAfter = end - Date.now();
      if (retryAfter > 0) throw limited(host, retryAfter);
    },
    note(answer) {
      const wait = waitOf(answer);
      if (wait !== undefined) end = Math.max(end, Date.now() + wait);
    },
  };
}

export const limited = (host: string, retryAfter: number, cause?: unknown) =>
  new DomainError(
    'UNAVAILABLE',
    `${host} limits requests with this credential: the next may be sent in ${Math.ceil(retryAfter / 1000)} s`,
    { retryable: true, retryAfter, cause },
  );

/**
 * Milliseconds until the forge may be asked again; undefined if at once. A 403 is a limit only if
 * it says so: by `retry-after`, no remaining requests, or the words of GitHub's secondary limits.
 */
export function waitOf({ status, headers, body }: Incoming): number | undefined {
  const isRefused = status === 403 || status === 429;
  if (isRefused && headers['retry-after'] !== undefined)
    return bounded(millisecondsOf(headers['retry-after']));
  if (isUsedUp({ headers }))
    return bounded(Number(headers['x-ratelimit-reset']) * 1000 - nowAt(headers));
  const isSecondary = status === 429 || (status === 403 && saysSecondary(body));
  return isSecondary ? UNNAMED_MS : undefined;
}

const saysSecondary = (body: Buffer) =>
  /secondary[ -]rate|abuse/i.test(body.subarray(0, MAX_REASON_BYTES).toString());

const isUsedUp = ({ headers }: Pick<Incoming, 'headers'>) =>
  headers['retry-after'] === undefined &&
  headers['x-ratelimit-remaining'] === '0' &&
  headers['x-ratelimit-reset'] !== undefined;

/** Milliseconds that `retry-after` names: seconds, or a date (RFC 9110). */
export function millisecondsOf(retryAfter: string): number {
  return /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - Date.now();
}

/** The forge's time: resets are told by its clock. */
const nowAt = (headers: Incoming['headers']) => Date.parse(headers['date'] ?? '') || Date.now();

export const bounded = (ms: number) =>
  Number.isNaN(ms) ? UNNAMED_MS : Math.min(Math.max(ms, 1000), LONGEST_MS);
