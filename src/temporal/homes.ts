import { createHash, randomUUID } from 'node:crypto';
import { hostname } from 'node:os';

/** What a worker's name in Temporal ends with, where sites can have it as their home. */
const mark = ' home:';

/**
 * The name by which a data folder is a home: the same after a restart, for the sites that it has.
 */
export const homeName = (dataDir: string) =>
  digestOf(hostname(), dataDir).toString('hex').slice(0, 16);

/**
 * A name for a worker in Temporal, which no later one has: also where its container starts again.
 */
export const identityAt = (home: string) =>
  `${process.pid}@${hostname()}#${randomUUID().slice(0, 8)}${mark}${home}`;

/** The home that a worker's name tells. */
export const homeIn = (identity: string): string | undefined => identity.split(mark)[1];

/**
 * The home of a site among these: by rendezvous hashing, so that only the sites of a home that goes
 * get another one.
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
