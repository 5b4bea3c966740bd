import type { Site } from '../../../contract/site.ts';
import { startRounds } from '../../../backgroundRounds.ts';
import type { SiteNeeds } from '../remote/ownRefs.ts';
import { cloneName } from './cloneName.ts';
import { hasRepository } from '../registeredSite.ts';
import type { GitRepositories } from '../repository.ts';

const EVERY_MS = 10 * 60_000;
const DAY_MS = 24 * 60 * 60_000;
/** Clones that were unused for this long are maintained only once a day. */
const RECENT_MS = 2 * 60 * 60_000;

interface MaintenanceOptions {
  repositories: GitRepositories;
  /** All sites. */
  sites: () => Promise<Site[]>;
  /** Says which refs running tasks and deployments still need. */
  needs: SiteNeeds;
  /**
   * Called with the site whose clone could not be maintained, or '' if the round itself failed. The
   * next round tries again.
   */
  onFailure: (siteId: string, error: unknown) => void;
  /** Milliseconds between two rounds. */
  every?: number;
}

/**
 * Maintains this process's clones every ten minutes, one at a time, while tasks run: removes
 * unneeded refs, runs git gc, and keeps the clones within their quota.
 */
export function startMaintenance({
  repositories,
  sites,
  needs,
  onFailure,
  every = EVERY_MS,
}: MaintenanceOptions) {
  let lastFullRound = 0;

  async function round(signal: AbortSignal): Promise<void> {
    const isDue = Date.now() - lastFullRound > DAY_MS;
    if (isDue) lastFullRound = Date.now();
    const cloneNames = new Set(await repositories.clones());
    const allSites = await sites();
    await removeForeignClones(repositories, cloneNames, allSites);
    for (const site of allSites) {
      if (signal.aborted || !hasRepository(site)) continue;
      const isUsed = repositories.lastUse(site) > Date.now() - RECENT_MS;
      if (!cloneNames.has(cloneName(site)) || !(isDue || isUsed)) continue;
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
 * Removes clones of sites that another process removed, or whose repository has another URL now.
 * Keeps a recently used clone: its site may be about to be registered.
 */
async function removeForeignClones(
  repositories: GitRepositories,
  cloneNames: Set<string>,
  allSites: Site[],
): Promise<void> {
  const registeredNames = new Set(allSites.filter(hasRepository).map(cloneName));
  for (const name of cloneNames)
    if (!registeredNames.has(name)) await repositories.removeUnused(name, RECENT_MS);
}
