import type { ResultCommit, SiteWithRepository } from '../contract/site.ts';
import { createProductionHeads, unreadableSiteError } from '../sites/git/remote/productionHeads.ts';
import type { GitRepositories, Tree } from '../sites/git/repository.ts';
import { pagePaths } from '../sites/formats/paths.ts';
import { differingPaths } from '../sites/pages/sitemap/deriveSitemap.ts';
import type { Deployments } from '../storage/deployments.ts';

/** The slugs of the pages that a change creates, modifies and deletes. */
export interface PageLists {
  created: string[];
  modified: string[];
  deleted: string[];
}

interface CompareOptions {
  signal?: AbortSignal | undefined;
}

export interface SiteComparison {
  /**
   * Changes on the production branch that are not live yet. They go live with the next publish.
   * @throws DomainError as `restoring`
   */
  pushedChanges(site: SiteWithRepository, options: CompareOptions): Promise<PageLists>;
  /**
   * What restoring an earlier commit would change.
   * @throws DomainError UNAVAILABLE if a retry may help, CONFLICT if the site can't be read
   */
  restoredChanges(
    site: SiteWithRepository,
    commit: string,
    options: CompareOptions,
  ): Promise<PageLists>;
  /**
   * Which pages of a task's result the live site has in exactly this version.
   * @param shown the commit that the task's preview shows
   */
  livePages(site: SiteWithRepository, shown: ResultCommit, slugs: string[]): Promise<string[]>;
}

/** The slugs of the pages that differ between two trees, or are missing in one of them. */
const differingSlugs = (before: ComparedFiles, after: ComparedFiles) =>
  new Set(
    differingPaths(before, after)
      .filter((path) => pagePaths.handles(path))
      .map((path) => pagePaths.slugOf(path)),
  );

const noChanges: PageLists = { created: [], modified: [], deleted: [] };

/** Compares the head of a site's production branch with its live or an earlier commit. */
export function createSiteComparison(deps: {
  repositories: GitRepositories;
  deployments: Pick<Deployments, 'live'>;
}): SiteComparison {
  const branchHeads = createProductionHeads(deps.repositories);

  async function compareCommits(
    site: SiteWithRepository,
    [from, to]: [string, string],
    { signal }: CompareOptions,
  ) {
    const repository = deps.repositories.open(site);
    const readTree = (commit: string) => repository.tree({ commit, retainedBy: null }, signal);
    try {
      return changesBetween(await readTree(from), await readTree(to));
    } catch (error) {
      throw unreadableSiteError(error);
    }
  }

  return {
    async pushedChanges(site, options) {
      const live = await deps.deployments.live(site.siteId);
      const head = await branchHeads.find(site, options.signal);
      return live === null || live.commit === head
        ? noChanges
        : compareCommits(site, [live.commit, head], options);
    },

    async livePages(site, shown, slugs) {
      const live = await deps.deployments.live(site.siteId);
      if (!live) return [];
      const repository = deps.repositories.open(site);
      try {
        const shownTree = await repository.tree(shown);
        const liveTree = await repository.tree({ commit: live.commit, retainedBy: null });
        const differing = differingSlugs(liveTree, shownTree);
        return slugs.filter((slug) => !differing.has(slug));
      } catch (error) {
        throw unreadableSiteError(error);
      }
    },

    async restoredChanges(site, commit, options) {
      return compareCommits(site, [await branchHeads.find(site, options.signal), commit], options);
    },
  };
}

type ComparedFiles = Pick<Tree, 'entries'>;

/** Compares by slug: a page that moved to another file counts as modified. */
function changesBetween(before: ComparedFiles, after: ComparedFiles): PageLists {
  const paths = differingPaths(before, after).filter((path) => pagePaths.handles(path));
  const pageSlugsIn = ({ entries }: ComparedFiles) =>
    new Set(paths.filter((path) => entries.has(path)).map((path) => pagePaths.slugOf(path)));
  const [oldSlugs, newSlugs] = [pageSlugsIn(before), pageSlugsIn(after)];
  return {
    created: [...newSlugs].filter((slug) => !oldSlugs.has(slug)),
    modified: [...newSlugs].filter((slug) => oldSlugs.has(slug)),
    deleted: [...oldSlugs].filter((slug) => !newSlugs.has(slug)),
  };
}
