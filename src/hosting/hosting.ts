import type { HeldCommit, Site } from '../contract/site.ts';
import { DomainError } from '../errors.ts';
import { openRepository } from '../sites/git/registeredSite.ts';
import type { Repositories } from '../sites/git/repository.ts';
import type { Hosting } from './host.ts';
import { createAddresses, deployedPages } from './embedded/siteUrls.ts';
import type { Deployments } from '../storage/deployments.ts';
import { goLive } from './goLive.ts';
import { recordPublication } from './recordPublication.ts';
import { setHeadLive } from './setHeadLive.ts';
import { advancePreview } from './advancePreview.ts';
import type { Domains } from './embedded/recipient.ts';
import { servedFiles } from '../sites/pages/servedFiles.ts';

export interface EmbeddedHostingDeps extends Domains {
  repositories: Pick<Repositories, 'open'>;
  deployments: Deployments;
  /** The address that clients use: its scheme and port are those of the sites too. */
  publicUrl: () => URL;
}

export interface EmbeddedHosting extends Hosting {
  /**
   * Shows the head of the production branch at the site's live address, if nothing is live there
   * yet. Throws GIT_FAILED.
   */
  ensureLive(site: Site): Promise<void>;
  /**
   * Shows the head of the production branch at the site's live address, whatever is live there. Use
   * it after the branch was rewritten.
   * @returns the commit that is live then
   * @throws DomainError GIT_FAILED, DEPLOYMENT_FAILED where another deployment went live meanwhile
   */
  deployHead(site: Site): Promise<string>;
}

/**
 * The host that is part of the service: it shows commits straight from the sites' repositories
 * (serveSites.ts).
 */
export function createEmbeddedHosting(deps: EmbeddedHostingDeps): EmbeddedHosting {
  const { repositories, deployments } = deps;
  const addresses = createAddresses(deps, deps.publicUrl);

  /** @returns the commit that is live then */
  async function putHeadLive(site: Site): Promise<HeldCommit> {
    const { siteId } = site;
    const expected = (await deployments.live(siteId))?.commit ?? null;
    const repository = openRepository(repositories, site);
    const commit = await repository.fetchHead();
    await repository.hold({ commit, heldBy: null });
    if (expected === commit) return { commit, heldBy: null };
    const isLive = await setHeadLive(deployments, repository, { siteId, commit, expected });
    if (!isLive && (await deployments.live(siteId))?.commit !== commit) {
      throw new DomainError(
        'DEPLOYMENT_FAILED',
        'Another deployment of the site went live meanwhile',
        {
          retryable: true,
        },
      );
    }
    return { commit, heldBy: null };
  }

  return {
    async deployPreview({ site, taskId, commit, heldBy, base, onto, pages }, signal) {
      const find = servedFiles(
        await openRepository(repositories, site).tree({ commit, heldBy }, signal),
      );
      signal?.throwIfAborted(); // a step that was given up must not bring back a preview that was deleted since
      await deployments.setPreview({ siteId: site.siteId, taskId, commit, heldBy, base, onto });
      const shown = deployedPages(addresses.preview(site, taskId), pages, find);
      return shown.map((page) => ({ ...page, editUrl: addresses.edit(heldBy, page.slug) }));
    },

    async deployProduction(
      { site, taskId, name, restores = null, commit, pages, deleted },
      signal,
    ) {
      const repository = openRepository(repositories, site);
      const tree = await repository.tree({ commit, heldBy: null }, signal);
      const change = { siteId: site.siteId, taskId, name, restores, commit, tree };
      await goLive(deployments, repository, change, signal).catch(async (error: unknown) => {
        await deployments.setFailed(change).catch(() => undefined); // what failed first is what is told
        throw error;
      });
      await recordPublication(
        deployments,
        repository,
        { ...change, pages: [...pages, ...deleted] },
        signal,
      );
      return deployedPages(addresses.live(site), pages, servedFiles(tree));
    },

    advancePreview: ({ site, taskId, commit }, signal) =>
      advancePreview(
        deployments,
        openRepository(repositories, site),
        { siteId: site.siteId, taskId, commit },
        signal,
      ),

    async ensureLive(site) {
      if ((await deployments.live(site.siteId)) !== null) return;
      const held = await putHeadLive(site);
      // a remote that takes no pushes now may do so later: the first publish brings it
      await openRepository(repositories, site)
        .keepLive(held)
        .catch(() => undefined);
    },

    async deployHead(site) {
      const held = await putHeadLive(site);
      await openRepository(repositories, site).keepLive(held);
      return held.commit;
    },
  };
}
