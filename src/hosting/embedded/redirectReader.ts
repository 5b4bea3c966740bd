import type { OpenableSite } from '../../contract/site.ts';
import { hasCode } from '../../errors.ts';
import type { Repository, Tree } from '../../sites/git/repository.ts';
import type { PagesPool } from '../../sites/pages/pages.ts';
import { HOST_FILE_BYTES, REDIRECTS, VERCEL } from '../../sites/redirects/hostFileNames.ts';
import { siteRedirects, type SiteRedirects } from '../../sites/redirects/siteRedirects.ts';
import { createSharedCache } from '../../singleFlight.ts';

/** Redirects of all sites in memory. */
const KEPT_REDIRECTS = 100_000;

/**
 * Reads the redirects of commits, and keeps those of sites that were asked for recently. Files that
 * are too large, or no regular files, are passed over, and so are those that take a thread too long
 * to read.
 */
export function createRedirectReader(pages: Pick<PagesPool, 'for'>) {
  const cache = createSharedCache<SiteRedirects>({
    maxSize: KEPT_REDIRECTS,
    sizeOf: ({ count }) => count + 1,
  });

  return {
    /** undefined: the site has no file with redirects. Throws as `Repository.blob`. */
    async read(
      { siteId, organizationId }: OpenableSite,
      repository: Pick<Repository, 'blob'>,
      { entries }: Pick<Tree, 'entries'>,
      end: AbortSignal,
    ): Promise<SiteRedirects | undefined> {
      const files = [REDIRECTS, VERCEL]
        .map((path) => entries.get(path))
        .filter((entry) => entry !== undefined)
        .filter(({ mode, size }) => mode.startsWith('100') && size <= HOST_FILE_BYTES);
      if (files.length === 0) return undefined;
      const key = [siteId, ...files.map(({ path, id }) => `${path} ${id}`)].join(' ');
      const read = async (signal: AbortSignal) => {
        const sources = new Map<string, string>();
        for (const { path, id } of files) sources.set(path, String(await repository.blob(id)));
        const reading = pages.for({ organizationId, signal }).readHostFiles(sources);
        return siteRedirects(await reading.catch(onLimit));
      };
      return cache.read(key, read, end);
    },
  };
}

function onLimit(error: unknown): [] {
  if (hasCode(error, 'LIMIT_EXCEEDED')) return [];
  throw error;
}
