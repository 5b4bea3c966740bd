import { createHash, randomUUID } from 'node:crypto';
import { hostname } from 'node:os';

/** Separates a worker's name from its home, for workers that can be the home of sites. */
const mark = ' home:';

/** The name of a data folder as a home of sites. Stays the same after a restart. */
export const homeName = (dataDir: string) =>
  digestOf(hostname(), dataDir).toString('hex').slice(0, 16);

/** A new, unique name for a worker in Temporal, even for workers in the same container. */
export const identityAt = (home: string) =>
  `${process.pid}@${hostname()}#${randomUUID().slice(0, 8)}${mark}${home}`;

/** The home that a worker's name contains. */
export const homeIn = (identity: string): string | undefined => identity.split(mark)[1];

/**
 * Chooses a site's home by rendezvous hashing: if a home goes, only its own sites get another one.
 * @returns undefined if there are no homes
 */
export function homeOf(siteId: string, homes: Iterable<string>): string | undefined {
  let best: { home: string; score: Buffer } | undefined;
  for (const home of homes) {
    const score = digestOf(siteId, home);
    if (!best || score.compare(best.score) > 0) best = { home, score };
  }
  return best?.home;
}

const digestOf = (...parts: string[]) => createHash('sha256').update(parts.join('\0')).digest();
