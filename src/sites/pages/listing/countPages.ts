import type { OpenableSite } from '../../../contract/site.ts';
import { checkSitemap } from '../sitemap/deriveSitemap.ts';
import type { PageMethods } from '../pages.ts';
import { type RepositoryCheckDeps, findUnreadParts } from './checkRepository.ts';
import type { RepositoryProblem } from './repositoryProblems.ts';

/** The number of pages of a site, and warnings on what will not fully work. */
export interface PageCount {
  pages: number;
  warnings: RepositoryProblem[];
}

/**
 * Fetches the site's production branch and counts the pages at its head.
 * @throws DomainError GIT_FAILED if the repository can't be read, LIMIT_EXCEEDED if it exceeds a
 *   limit
 */
export async function countPages(
  repositories: RepositoryCheckDeps['repositories'],
  pages: Pick<PageMethods, 'isPage' | 'read'>,
  site: OpenableSite,
): Promise<PageCount> {
  const repository = repositories.open(site);
  const tree = await repository.tree({ commit: await repository.fetchHead(), retainedBy: null });
  checkSitemap(tree);
  return {
    pages: [...tree.entries.keys()].filter((path) => pages.isPage(path)).length,
    warnings: await findUnreadParts(repository, tree, pages),
  };
}
