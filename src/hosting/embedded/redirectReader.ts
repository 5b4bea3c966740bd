import { HOST_FILE_BYTES, REDIRECTS, VERCEL } from '../../sites/redirects/hostFileNames.ts';
import { createSharedCache } from '../../singleFlight.ts';
import type { Repository, Tree } from '../../sites/git/repository.ts';
import { siteRedirects, type SiteRedirects } from '../../sites/redirects/hostFiles.ts';

/** Redirects of all sites in memory. */
const KEPT_REDIRECTS = 100_000;

/**
 * Reads the redirects of commits, and keeps those of sites that were asked for recently. Files that
 * are too large, or no regular files, are passed over.
 */
export function createRedirectReader() {
  const cache = createSharedCache<SiteRedirects>({
    maxSize: KEPT_REDIRECTS,
    sizeOf: ({ count }) => count + 1,
  });

  return {
    /** undefined: the site has no file with redirects. Throws as `Repository.blob`. */
    async read(
      siteId: string,
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
      const read = async () => {
        const sources = new Map<string, string>();
        for (const { path, id } of files) sources.set(path, String(await repository.blob(id)));
        return siteRedirects(sources);
      };
      return cache.read(key, read, end);
    },
  };
}
