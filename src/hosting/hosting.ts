import type { HeldCommit, PageFile, ResultCommit, Site } from '../contract/site.ts';
import { DomainError } from '../errors.ts';
import { openRepository } from '../sites/git/registeredSite.ts';
import type { Repositories } from '../sites/git/repository.ts';
import type { Deployments } from '../storage/deployments.ts';
import { advancePreview } from './advancePreview.ts';
import { goLive } from './goLive.ts';
import type { DeployedPage, HostedPreview } from './host.ts';
import { hostOf, type Hosts } from './hosts.ts';
import { recordPublication } from './recordPublication.ts';
import { setHeadLive } from './setHeadLive.ts';

/**
 * The commit that a task's preview will show. `heldBy` also names the task whose pages are edited.
 */
export interface PreviewRequest extends HostedPreview, ResultCommit {
  /** The commit that the result began from, and the task whose result that is, if it is one. */
  base: string;
  onto?: string | undefined;
  pages: PageFile[];
}

/** What goes live with a task. */
export interface ProductionRequest {
  site: Site;
  taskId: string;
  /** What the deployment is called. */
  name: string;
  /** When the version that it puts live again went live. */
  restores?: string | undefined;
  commit: string;
  pages: PageFile[];
  deleted: PageFile[];
}

/**
 * Deploys commits at the hosts of their sites, and records which commit each preview shows and
 * which one is live. Every call may be repeated.
 */
export interface Hosting {
  /** Makes a commit visible as a task's preview. Changes nothing of the live site. */
  deployPreview(request: PreviewRequest, signal?: AbortSignal): Promise<DeployedPage[]>;
  /**
   * Lets the task's preview show `commit`, a descendant of the commit that it shows. If it already
   * shows a descendant of `commit`, that is success. Throws NOT_FOUND without a preview,
   * DEPLOYMENT_FAILED.
   */
  advancePreview(request: HostedPreview & { commit: string }, signal?: AbortSignal): Promise<void>;
  /** Ends a task's preview. Succeeds where there is none. */
  endPreview(preview: HostedPreview): Promise<void>;
  /**
   * Makes `commit` the live one, by compare-and-set and only to a descendant of the live commit; if
   * a descendant of `commit` is live already, that is success. Throws DEPLOYMENT_FAILED.
   */
  deployProduction(request: ProductionRequest, signal?: AbortSignal): Promise<DeployedPage[]>;
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

export interface HostingDeps {
  hosts: Hosts;
  repositories: Pick<Repositories, 'open'>;
  deployments: Deployments;
}

/** @throws DomainError CONFIGURATION, of each call, for a site whose host is unknown */
export function createHosting({ hosts, repositories, deployments }: HostingDeps): Hosting {
  /** @returns the commit that is live then */
  async function putHeadLive(site: Site): Promise<HeldCommit> {
    const { siteId } = site;
    const host = hostOf(hosts, site);
    const expected = (await deployments.live(siteId))?.commit ?? null;
    const repository = openRepository(repositories, site);
    const commit = await repository.fetchHead();
    const head = { commit, heldBy: null };
    await repository.hold(head);
    if (expected === commit) return head;
    const tree = await repository.tree(head);
    const isLive = await setHeadLive(deployments, repository, { siteId, commit, tree, expected });
    if (!isLive && (await deployments.live(siteId))?.commit !== commit) {
      throw new DomainError(
        'DEPLOYMENT_FAILED',
        'Another deployment of the site went live meanwhile',
        { retryable: true },
      );
    }
    await host.goLive({ site, commit, tree, pages: [] });
    return head;
  }

  return {
    async deployPreview({ site, taskId, commit, heldBy, base, onto, pages }, signal) {
      const host = hostOf(hosts, site);
      const tree = await openRepository(repositories, site).tree({ commit, heldBy }, signal);
      const preview = { site, taskId, commit, heldBy, tree, pages };
      const deployed = await host.deployPreview(preview, signal);
      signal?.throwIfAborted(); // a step that was given up must not bring back a preview that was deleted since
      await deployments.setPreview({ siteId: site.siteId, taskId, commit, heldBy, base, onto });
      return deployed;
    },

    async advancePreview({ site, taskId, commit }, signal) {
      const host = hostOf(hosts, site);
      const shown = await advancePreview(
        deployments,
        openRepository(repositories, site),
        { siteId: site.siteId, taskId, commit },
        signal,
      );
      await host.advancePreview({ site, taskId, ...shown }, signal);
    },

    async endPreview({ site, taskId }) {
      await deployments.removePreview({ siteId: site.siteId, taskId });
      await hostOf(hosts, site).endPreview({ site, taskId });
    },

    async deployProduction(
      { site, taskId, name, restores = null, commit, pages, deleted },
      signal,
    ) {
      const host = hostOf(hosts, site);
      const repository = openRepository(repositories, site);
      const tree = await repository.tree({ commit, heldBy: null }, signal);
      const change = { siteId: site.siteId, taskId, name, restores, commit, tree };
      const putLive = async () => {
        await goLive(deployments, repository, change, signal);
        return host.goLive({ site, commit, tree, pages }, signal);
      };
      const deployed = await putLive().catch(async (error: unknown) => {
        await deployments.setFailed(change).catch(() => undefined); // what failed first is what is told
        throw error;
      });
      await recordPublication(
        deployments,
        repository,
        { ...change, pages: [...pages, ...deleted] },
        signal,
      );
      return deployed;
    },

    async ensureLive(site) {
      if ((await deployments.live(site.siteId)) !== null) return;
      const head = await putHeadLive(site);
      // a remote that takes no pushes now may do so later: the first publish brings it
      await openRepository(repositories, site)
        .keepLive(head)
        .catch(() => undefined);
    },

    async deployHead(site) {
      const head = await putHeadLive(site);
      await openRepository(repositories, site).keepLive(head);
      return head.commit;
    },
  };
}
