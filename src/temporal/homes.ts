import { createHash, randomUUID } from 'node:crypto';
import { hostname } from 'node:os';

/** Stands before the home in the name of a worker that can be the home of sites. */
const mark = ' home:';

/** The name of a data folder as a home of sites. It stays the same after a restart. */
export const homeName = (dataDir: string) =>
  digestOf(hostname(), dataDir).toString('hex').slice(0, 16);

/** A new name for a worker in Temporal: no other worker ever has it, even in the same container. */
export const identityAt = (home: string) =>
  `${process.pid}@${hostname()}#${randomUUID().slice(0, 8)}${mark}${home}`;

/** The home in a worker's name. */
export const homeIn = (identity: string): string | undefined => identity.split(mark)[1];

/**
 * The home of a site among these, by rendezvous hashing: when a home goes, only its own sites get
 * another one.
 * @returns undefined where there are none
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
