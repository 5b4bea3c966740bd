import { DomainError } from '../../../errors.ts';

/** The minimum throughput of a remote. */
export interface ThroughputLimit {
  /**
   * Milliseconds before the throughput is checked: the remote first collects and compresses objects
   * without sending anything.
   */
  patience: number;
  /**
   * Bytes that must arrive for each second after that. Otherwise a slow fetch would keep others
   * waiting for its full time limit.
   */
  bytesPerSecond: number;
  /** Most milliseconds of a fetch; default an hour. */
  longest?: number;
}

export const defaultThroughput: ThroughputLimit = { patience: 60_000, bytesPerSecond: 16 * 1024 };

/**
 * Checks the throughput of a fetch.
 * @param arrived the bytes that have arrived, and the milliseconds since the start
 * @param action what is tried, e.g. `Fetching from github.com/acme/site`
 * @throws DomainError GIT_FAILED (retryable) if the throughput is too low
 */
export function checkThroughput(
  { patience, bytesPerSecond }: ThroughputLimit,
  arrived: { bytes: number; ms: number },
  action: string,
): void {
  const { bytes, ms } = arrived;
  if (ms <= patience + (bytes / bytesPerSecond) * 1_000) return;
  const expected = Math.round(bytesPerSecond / 1024);
  throw new DomainError(
    'GIT_FAILED',
    `${action} failed: the remote sent only ${bytes} bytes in ${Math.round(ms / 1_000)} s, but ` +
      `it must send at least ${expected} KiB per second after the first ${patience / 1_000} s`,
    { retryable: true },
  );
}
