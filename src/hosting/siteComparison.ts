import type { SiteWithRepository } from '../contract/site.ts';
import { createHeads, unreadable } from '../sites/git/productionHead.ts';
import type { Repositories, Tree } from '../sites/git/repository.ts';
import { pagePaths } from '../sites/formats/paths.ts';
import { differingPaths } from '../sites/pages/deriveSitemap.ts';
import type { Deployments } from '../storage/deployments.ts';

/** Slugs of pages. */
export interface PageLists {
  created: string[];
  modified: string[];
  deleted: string[];
}

interface Work {
  signal?: AbortSignal | undefined;
}

export interface SiteComparison {
  /** Changes on the production branch that are not live yet. They go live with the next publish. */
  waiting(site: SiteWithRepository, work: Work): Promise<PageLists>;
  /** What restoring an earlier commit would change. Throws UNAVAILABLE, CONFLICT. */
  restoring(site: SiteWithRepository, commit: string, work: Work): Promise<PageLists>;
}

const none: PageLists = { created: [], modified: [], deleted: [] };

/** Compares the head of a site's production branch with its live or an earlier commit. */
export function createSiteComparison(deps: {
  repositories: Repositories;
  deployments: Pick<Deployments, 'live'>;
}): SiteComparison {
  const heads = createHeads(deps.repositories);

  async function compare(site: SiteWithRepository, [from, to]: [string, string], { signal }: Work) {
    const repository = deps.repositories.open(site);
    const treeOf = (commit: string) => repository.tree({ commit, heldBy: null }, signal);
    try {
      return changesBetween(await treeOf(from), await treeOf(to));
    } catch (error) {
      throw unreadable(error);
    }
  }

  return {
    async waiting(site, work) {
      const live = await deps.deployments.live(site.siteId);
      const head = await heads.find(site, work.signal);
      return live === null || live.commit === head
        ? none
        : compare(site, [live.commit, head], work);
    },

    async restoring(site, commit, work) {
      return compare(site, [await heads.find(site, work.signal), commit], work);
    },
  };
}

type Files = Pick<Tree, 'entries'>;

/** Compares by slug: a page that moved to another file counts as modified. */
function changesBetween(before: Files, after: Files): PageLists {
  const paths = differingPaths(before, after).filter((path) => pagePaths.handles(path));
  const slugsIn = ({ entries }: Files) =>
    new Set(paths.filter((path) => entries.has(path)).map((path) => pagePaths.slugOf(path)));
  const [old, later] = [slugsIn(before), slugsIn(after)];
  return {
    created: [...later].filter((slug) => !old.has(slug)),
    modified: [...later].filter((slug) => old.has(slug)),
    deleted: [...old].filter((slug) => !later.has(slug)),
  };
}
