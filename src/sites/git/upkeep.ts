import type { Site } from '../../contract/site.ts';
import { startRounds } from '../../rounds.ts';
import type { Needs } from './ownRefs.ts';
import { copyName } from './copyName.ts';
import { hasRepository } from './registeredSite.ts';
import type { Repositories } from './repository.ts';

const EVERY_MS = 10 * 60_000;
const DAY_MS = 24 * 60 * 60_000;
/** Copies that were unused for this long are maintained only once a day. */
const RECENT_MS = 2 * 60 * 60_000;

interface UpkeepOptions {
  repositories: Repositories;
  /** All sites. */
  sites: () => Promise<Site[]>;
  needs: Needs;
  /** Called with the site whose copy could not be maintained. The next round tries again. */
  onFailure: (siteId: string, error: unknown) => void;
  /** Milliseconds between two rounds. */
  every?: number;
}

/**
 * Maintains this process's copies, one at a time, while tasks run: removes unneeded refs, runs git
 * gc, and keeps the copies within their quota.
 */
export function startUpkeep({
  repositories,
  sites,
  needs,
  onFailure,
  every = EVERY_MS,
}: UpkeepOptions) {
  let lookedAtAll = 0;

  async function round(signal: AbortSignal): Promise<void> {
    const isDue = Date.now() - lookedAtAll > DAY_MS;
    if (isDue) lookedAtAll = Date.now();
    const here = new Set(await repositories.clones());
    const all = await sites();
    await removeOthers(repositories, here, all);
    for (const site of all) {
      if (signal.aborted || !hasRepository(site)) continue;
      const isUsed = repositories.lastUse(site) > Date.now() - RECENT_MS;
      if (!here.has(copyName(site)) || !(isDue || isUsed)) continue;
      await repositories
        .ownRefs(site)
        .tidy(needs, signal)
        .then(() => repositories.maintain(site, signal))
        .catch((error: unknown) => signal.aborted || onFailure(site.siteId, error));
    }
    await repositories.keepWithinQuota();
  }

  return startRounds({ every, round, onFailure: (error) => onFailure('', error) });
}

/**
 * Removes copies of sites that another process removed, or that have another address now. Keeps a
 * recently used copy: its site may be about to be registered.
 */
async function removeOthers(
  repositories: Repositories,
  here: Set<string>,
  all: Site[],
): Promise<void> {
  const registered = new Set(all.filter(hasRepository).map(copyName));
  for (const name of here)
    if (!registered.has(name)) await repositories.removeUnused(name, RECENT_MS);
}
