import { createHash, randomUUID } from 'node:crypto';
import { hostname } from 'node:os';

/** Precedes the preferred worker's name in the identity that Temporal shows for a worker. */
const workerNameMark = ' home:';

/** The name by which sites prefer this worker. It stays the same after a restart. */
export const preferredWorkerName = (dataDir: string) =>
  hashParts(hostname(), dataDir).toString('hex').slice(0, 16);

/** A new, unique identity for a worker in Temporal, even for workers in the same container. */
export const workerIdentity = (workerName: string) =>
  `${process.pid}@${hostname()}#${randomUUID().slice(0, 8)}${workerNameMark}${workerName}`;

/** The preferred worker's name in an identity. undefined if no site can prefer that worker. */
export const preferredWorkerIn = (identity: string): string | undefined =>
  identity.split(workerNameMark)[1];

/**
 * Chooses a site's preferred worker, which keeps the site's clone, by rendezvous hashing: if a
 * worker goes, only its own sites get another one.
 * @returns undefined if there are no workers
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
