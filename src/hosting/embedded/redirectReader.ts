import type { OpenableSite } from '../../contract/site.ts';
import { hasErrorCode } from '../../errors.ts';
import type { GitRepository, Tree } from '../../sites/git/repository.ts';
import type { PagesPool } from '../../sites/pages/pages.ts';
import { HOST_FILE_BYTES, REDIRECTS } from '../../sites/redirects/hostFileNames.ts';
import { createSiteRedirects, type SiteRedirects } from '../../sites/redirects/redirects.ts';
import { createSharedCache } from '../../singleFlight.ts';

/** The most redirects of all sites together that are kept in memory. */
const KEPT_REDIRECTS = 100_000;

/**
 * Reads the file with redirects of a commit, and keeps the redirects of sites that were requested
 * recently. Ignores a file that is too large, is not a regular file, or takes a thread too long to
 * read.
 */
export function createRedirectReader(pages: Pick<PagesPool, 'for'>) {
  const cache = createSharedCache<SiteRedirects>({
    maxSize: KEPT_REDIRECTS,
    sizeOf: ({ count }) => count + 1,
  });

  return {
    /** undefined: the site has no file with redirects. Throws as `GitRepository.blob`. */
    async read(
      { siteId, organizationId }: OpenableSite,
      repository: Pick<GitRepository, 'blob'>,
      { entries }: Pick<Tree, 'entries'>,
      endSignal: AbortSignal,
    ): Promise<SiteRedirects | undefined> {
      const file = entries.get(REDIRECTS);
      if (!file?.mode.startsWith('100') || file.size > HOST_FILE_BYTES) return undefined;
      const readFile = async (signal: AbortSignal) => {
        const source = String(await repository.blob(file.id));
        const redirectsRead = pages.for({ organizationId, signal }).readRedirects(source);
        return createSiteRedirects(await redirectsRead.catch(noneOverLimit));
      };
      return cache.read(`${siteId} ${file.id}`, readFile, endSignal);
    },
  };
}

function noneOverLimit(error: unknown): [] {
  if (hasErrorCode(error, 'LIMIT_EXCEEDED')) return [];
  throw error;
}
