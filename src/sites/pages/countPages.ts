import type { OpenableSite } from '../../contract/site.ts';
import { checkSitemap } from './deriveSitemap.ts';
import type { Pages } from './pages.ts';
import type { Repositories } from '../git/repository.ts';

/**
 * Counts the pages at the head of the site's production branch, fetching it first.
 * @throws DomainError GIT_FAILED where the repository can't be read, LIMIT_EXCEEDED where it is
 *   over a limit
 */
export async function countPages(
  repositories: Repositories,
  pages: Pick<Pages, 'isPage'>,
  site: OpenableSite,
): Promise<number> {
  const repository = repositories.open(site);
  const tree = await repository.tree({ commit: await repository.fetchHead(), heldBy: null });
  checkSitemap(tree);
  return [...tree.entries.keys()].filter((path) => pages.isPage(path)).length;
}
