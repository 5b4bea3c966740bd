import type { Site } from '../../contract/site.ts';
import { startRounds } from '../../rounds.ts';
import type { Needs } from './ownRefs.ts';
import { hasRepository } from './registeredSite.ts';
import type { Repositories } from './repository.ts';

const EVERY_MS = 10 * 60_000;
const DAY_MS = 24 * 60 * 60_000;
/** Copies that were not used for longer are looked at once a day. */
const RECENT_MS = 2 * 60 * 60_000;

interface UpkeepOptions {
  repositories: Repositories;
  /** All sites. */
  sites: () => Promise<Site[]>;
  needs: Needs;
  /** Told of a site whose copy could not be looked after; the next round tries again. */
  onFailure: (siteId: string, error: unknown) => void;
  /** Milliseconds between two rounds. */
  every?: number;
}

/**
 * Looks after the copies of this process, one at a time and beside the steps of tasks: refs that
 * nobody needs go, what grew is put together, and what is over the quota goes.
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
    const here = new Set(await repositories.copies());
    const all = await sites();
    await removeOthers(repositories, here, all);
    for (const site of all) {
      const isUsed = repositories.lastUse(site.siteId) > Date.now() - RECENT_MS;
      if (signal.aborted || !here.has(site.siteId) || !hasRepository(site) || !(isDue || isUsed))
        continue;
      await repositories
        .ownRefs(site)
        .tidy(needs, signal)
        .then(() => repositories.maintain(site.siteId, signal))
        .catch((error: unknown) => signal.aborted || onFailure(site.siteId, error));
    }
    await repositories.keepWithinQuota();
  }

  return startRounds({ every, round, onFailure: (error) => onFailure('', error) });
}

/**
 * Copies of sites that were removed elsewhere. One that is new here may be of a site that is being
 * added.
 */
async function removeOthers(
  repositories: Repositories,
  here: Set<string>,
  all: Site[],
): Promise<void> {
  const registered = new Set(all.map(({ siteId }) => siteId));
  for (const siteId of here)
    if (!registered.has(siteId) && repositories.lastUse(siteId) < Date.now() - RECENT_MS)
      await repositories.remove(siteId);
}
