import { DomainError } from '../../errors.ts';

/** How slowly a remote may send. */
export interface Pace {
  /**
   * Milliseconds before what has arrived counts: the remote collects and compresses first, without
   * a sign.
   */
  patience: number;
  /**
   * What must have arrived for each second after that, or a fetch would hold its place for as long
   * as it may take.
   */
  bytesPerSecond: number;
  /** Milliseconds that a fetch may take at most; default an hour. */
  longest?: number;
}

export const usualPace: Pace = { patience: 60_000, bytesPerSecond: 16 * 1024 };

/**
 * @param what has arrived: bytes, and in how many milliseconds
 * @param action what is tried, e.g. `Fetching from github.com/acme/site`
 * @throws DomainError GIT_FAILED, retryable, where that is too little
 */
export function checkPace(
  { patience, bytesPerSecond }: Pace,
  what: { bytes: number; ms: number },
  action: string,
): void {
  const { bytes, ms } = what;
  if (ms <= patience + (bytes / bytesPerSecond) * 1_000) return;
  const expected = Math.round(bytesPerSecond / 1024);
  throw new DomainError(
    'GIT_FAILED',
    `${action} failed: the remote sent ${bytes} bytes in ${Math.round(ms / 1_000)} s; ` +
      `after ${patience / 1_000} s, at least ${expected} KiB for each second are expected`,
    { retryable: true },
  );
}
