import { createHash, randomUUID } from 'node:crypto';
import { hostname } from 'node:os';

/** Separates a worker's name from its home, for workers that can be the home of sites. */
const workerNameMark = ' home:';

/** The name of a data folder as a home of sites. Stays the same after a restart. */
export const preferredWorkerName = (dataDir: string) =>
  hashParts(hostname(), dataDir).toString('hex').slice(0, 16);

/** A new, unique name for a worker in Temporal, even for workers in the same container. */
export const workerIdentity = (workerName: string) =>
  `${process.pid}@${hostname()}#${randomUUID().slice(0, 8)}${workerNameMark}${workerName}`;

/** The home that a worker's name contains. */
export const preferredWorkerIn = (identity: string): string | undefined =>
  identity.split(workerNameMark)[1];

/**
 * Chooses a site's home by rendezvous hashing: if a home goes, only its own sites get another one.
 * @returns undefined if there are no homes
 */
export function choosePreferredWorker(
  siteId: string,
  workerNames: Iterable<string>,
): string | undefined {
  let bestWorker: { home: string; score: Buffer } | undefined;
  for (const workerName of workerNames) {
    const score = hashParts(siteId, workerName);
    if (!bestWorker || score.compare(bestWorker.score) > 0)
      bestWorker = { home: workerName, score };
  }
  return bestWorker?.home;
}

const hashParts = (...parts: string[]) => createHash('sha256').update(parts.join('\0')).digest();
