import type { OpenableSite } from '../../../contract/site.ts';
import { checkSitemap } from '../sitemap/deriveSitemap.ts';
import type { PageMethods } from '../pages.ts';
import type { GitRepositories } from '../../git/repository.ts';

/**
 * Fetches the site's production branch and counts the pages at its head.
 * @throws DomainError GIT_FAILED if the repository can't be read, LIMIT_EXCEEDED if it exceeds a
 *   limit
 */
export async function countPages(
  repositories: GitRepositories,
  pages: Pick<PageMethods, 'isPage'>,
  site: OpenableSite,
): Promise<number> {
  const repository = repositories.open(site);
  const tree = await repository.tree({ commit: await repository.fetchHead(), heldBy: null });
  checkSitemap(tree);
  return [...tree.entries.keys()].filter((path) => pages.isPage(path)).length;
}
