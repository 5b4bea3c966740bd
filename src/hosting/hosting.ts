import type { ExpectedPage, DeploymentResult, PullRequestText } from '../contract/deployment.ts';
import type { RetainedCommitRef, PageFile, ResultCommit, Site } from '../contract/site.ts';
import { DomainError } from '../errors.ts';
import { openRepository } from '../sites/git/registeredSite.ts';
import type { GitRepositories, GitRepository, Tree } from '../sites/git/repository.ts';
import type { Deployments } from '../storage/deployments.ts';
import { advancePreview } from './advancePreview.ts';
import { moveLivePointer } from './moveLivePointer.ts';
import type { HostAdapter, HostedPreview } from './hostAdapter.ts';
import { findHost, type SiteHosts } from './hosts.ts';
import { recordPublication } from './recordPublication.ts';
import { blobsOf, comparePages } from './pageChanges.ts';

/** The commit that a task's preview will show. `retainedBy` is the task whose ref retains it. */
export interface PreviewRequest extends HostedPreview, ResultCommit {
  /** The commit on which the result is based. */
  base: string;
  /** The task whose result `base` is. Absent if no task made `base`. */
  baseTaskId?: string | undefined;
  pages: PageFile[];
  /** How many of the pages a deployment check looks for at an external host. Default: all. */
  sample?: number | undefined;
  /** The text of a pull request. Default: only which task it is. */
  pullRequestText?: PullRequestText | undefined;
}

/** A task's commit to publish. */
export interface ProductionRequest {
  site: Site;
  taskId: string;
  /** The deployment's name. */
  name: string;
  /** When the restored version went live. Absent unless the task restores one. */
  restores?: string | undefined;
  commit: string;
  pages: PageFile[];
  deleted: PageFile[];
  /** The pages that a deployment check should look for. Default: none. */
  expectedPages?: ExpectedPage[] | undefined;
}

/**
 * Deploys commits to the hosts of their sites. Records which commit each preview shows, and which
 * commit is live. Every call is repeatable.
 */
export interface SiteHosting {
  /** Shows a commit as a task's preview. Does not change the live site. */
  deployPreview(request: PreviewRequest, signal?: AbortSignal): Promise<DeploymentResult>;
  /**
   * Moves the task's preview to `commit`, which must descend from the commit that it shows. If it
   * shows a descendant of `commit` already, it stays there.
   * @throws DomainError NOT_FOUND without a preview, DEPLOYMENT_FAILED
   */
  advancePreview(request: HostedPreview & { commit: string }, signal?: AbortSignal): Promise<void>;
  /** Ends a task's preview. Succeeds if there is none. */
  endPreview(preview: HostedPreview): Promise<void>;
  /**
   * Makes `commit` live, which must descend from the live commit. If the live commit descends from
   * `commit`, it stays live.
   * @throws DomainError DEPLOYMENT_FAILED
   */
  deployProduction(request: ProductionRequest, signal?: AbortSignal): Promise<DeploymentResult>;
  /** What a deployment check looks for after a commit: see `HostAdapter.findExpectedPages`. */
  findExpectedPages(
    site: Site,
    commit: RetainedCommitRef & { base: string },
    pages: PageFile[],
    signal: AbortSignal,
  ): Promise<ExpectedPage[]>;
  /** Makes one deployment check: see `HostAdapter.checkDeployment`. */
  checkDeployment: HostAdapter['checkDeployment'];
  /** The pull request of a task's branch: see `HostAdapter.pullRequest`. */
  pullRequest: HostAdapter['pullRequest'];
  /** Asks once for the merge of a pull request: see `HostAdapter.merge`. */
  merge: HostAdapter['merge'];
  /**
   * Makes the head of the production branch live, if nothing is live yet.
   * @throws DomainError GIT_FAILED, DEPLOYMENT_FAILED if another deployment went live meanwhile
   */
  ensureLive(site: Site): Promise<void>;
  /**
   * Makes the head of the production branch live, whatever is live now. For a branch that was
   * rewritten.
   * @returns the new live commit
   * @throws DomainError GIT_FAILED, DEPLOYMENT_FAILED if another deployment went live meanwhile
   */
  deployHead(site: Site): Promise<string>;
}

export interface HostingDeps {
  hosts: SiteHosts;
  repositories: Pick<GitRepositories, 'open'>;
  deployments: Deployments;
}

/**
 * Deploys commits: it shows a task's commit as a preview, and makes a published commit live. A host
 * serves the pages, and this module decides which commit it serves:
 *
 * - hostAdapter.ts is the port to hosts, and hosts.ts finds the host of a site.
 * - embedded/ serves sites from this service. external/ uses hosts such as Netlify, which build the
 *   site from its repository.
 * - advancePreview.ts, moveLivePointer.ts and recordPublication.ts change the database by
 *   compare-and-set (repeatCompareAndSet.ts), so that no task hides the result of another one.
 * - deploymentList.ts and siteComparison.ts answer what is live, and what a publish would change.
 *
 * `deployPreview({ site, taskId: 'bg-1a2b', commit, pages: [{ slug: '/about', … }], … })` →
 * `{ pages: [{ slug: '/about', url: 'https://bg-1a2b--northwind.previews.example/about' }] }`
 *
 * Each call throws CONFIGURATION for a site whose host is unknown.
 */
export function createSiteHosting({ hosts, repositories, deployments }: HostingDeps): SiteHosting {
  /** @returns the new live commit */
  async function putHeadLive(site: Site): Promise<RetainedCommitRef> {
    const { siteId } = site;
    const host = findHost(hosts, site);
    const expected = (await deployments.live(siteId))?.commit ?? null;
    const repository = openRepository(repositories, site);
    const commit = await repository.fetchHead();
    const headCommit = { commit, retainedBy: null };
    await repository.hold(headCommit);
    if (expected === commit) return headCommit;
    const tree = await repository.tree(headCommit);
    const isLive = await setHeadLive(deployments, repository, { siteId, commit, tree, expected });
    if (!isLive && (await deployments.live(siteId))?.commit !== commit) {
      throw new DomainError(
        'DEPLOYMENT_FAILED',
        'Another deployment of the site went live at the same time',
        { retryable: true },
      );
    }
    await host.goLive({ site, commit, tree, pages: [] });
    return headCommit;
  }

  return {
    async deployPreview({ base, baseTaskId, ...request }, signal) {
      const { site, taskId, commit, retainedBy } = request;
      const host = findHost(hosts, site);
      const tree = await openRepository(repositories, site).tree({ commit, retainedBy }, signal);
      const baseCommit = { commit: base, retainedBy: baseTaskId ?? null };
      const preview = { ...request, tree, base: baseCommit };
      const deployed = await host.deployPreview(preview, signal);
      // a cancelled step must not restore a preview that was deleted meanwhile
      signal?.throwIfAborted();
      const result = { commit, retainedBy, base, baseTaskId };
      await deployments.setPreview({ siteId: site.siteId, taskId, ...result });
      return deployed;
    },

    async advancePreview({ site, taskId, commit }, signal) {
      const host = findHost(hosts, site);
      const shownCommit = await advancePreview(
        deployments,
        openRepository(repositories, site),
        { siteId: site.siteId, taskId, commit },
        signal,
      );
      await host.advancePreview({ site, taskId, ...shownCommit }, signal);
    },

    async endPreview({ site, taskId }) {
      await deployments.removePreview({ siteId: site.siteId, taskId });
      await findHost(hosts, site).endPreview({ site, taskId });
    },

    async deployProduction(
      { site, taskId, name, restores = null, commit, pages, deleted, expectedPages },
      signal,
    ) {
      const host = findHost(hosts, site);
      const repository = openRepository(repositories, site);
      const tree = await repository.tree({ commit, retainedBy: null }, signal);
      const liveChange = { siteId: site.siteId, taskId, name, restores, commit, tree };
      const putLive = async () => {
        await moveLivePointer(deployments, repository, liveChange, signal);
        return host.goLive({ site, taskId, commit, tree, pages, expectedPages }, signal);
      };
      const deployed = await putLive().catch(async (error: unknown) => {
        // the first error is the one to report
        await deployments.setFailed(liveChange).catch(() => undefined);
        throw error;
      });
      await recordPublication(
        deployments,
        repository,
        { ...liveChange, pages: [...pages, ...deleted] },
        signal,
      );
      return deployed;
    },

    findExpectedPages: (site, { base, ...after }, pages, signal) => {
      const before = { commit: base, retainedBy: null };
      return findHost(hosts, site).findExpectedPages(site, { before, after }, pages, signal);
    },
    checkDeployment: (site, ...check) => findHost(hosts, site).checkDeployment(site, ...check),
    pullRequest: (site, ...rest) => findHost(hosts, site).pullRequest(site, ...rest),
    merge: (site, merge, signal) => findHost(hosts, site).merge(site, merge, signal),

    async ensureLive(site) {
      if ((await deployments.live(site.siteId)) !== null) return;
      const headCommit = await putHeadLive(site);
      // if the remote refuses this push, the first publish repeats it
      await openRepository(repositories, site)
        .keepLive(headCommit)
        .catch(() => undefined);
    },

    async deployHead(site) {
      const headCommit = await putHeadLive(site);
      await openRepository(repositories, site).keepLive(headCommit);
      return headCommit.commit;
    },
  };
}

/** Names of deployments that were not made by a task. */
export const headDeploymentNames = {
  first: 'State when the site was added',
  later: 'Pushed by hand',
};

interface HeadLive {
  siteId: string;
  /** The head of the production branch. */
  commit: string;
  /** Its files. */
  tree: Tree;
  /** The commit that the caller expects to be live; null for none. */
  expected: string | null;
}

/**
 * Makes the head of the branch live if `expected` still is the live commit. Compares every page
 * that was ever live, because the branch may have been rewritten, or the site moved to another
 * folder.
 * @returns false if another commit is live
 */
async function setHeadLive(
  { setLive, publications }: Pick<Deployments, 'setLive' | 'publications'>,
  repository: Pick<GitRepository, 'tree'>,
  { siteId, commit, tree, expected }: HeadLive,
): Promise<boolean> {
  const treeBefore =
    expected === null
      ? null
      : await repository.tree({ commit: expected, retainedBy: null }).catch(() => null);
  const { pages } = comparePages(treeBefore, tree);
  const changedBlobs = expected === null ? [] : blobsOf(tree, await publications.paths(siteId));
  const name = expected === null ? headDeploymentNames.first : headDeploymentNames.later;
  return setLive({
    siteId,
    commit,
    taskId: null,
    name,
    restores: null,
    expected,
    pages,
    changed: changedBlobs,
  });
}
