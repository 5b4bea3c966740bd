import { LRUCache } from 'lru-cache';
import type { PageContent } from '../../../sites/formats/format.ts';

/** A cache of the contents of pages. */
interface PageContentCache {
  read(path: string): Promise<PageContent>;
  /** Must be called after a page was written. */
  forget(path: string): void;
  /** Approximate characters held in memory. */
  size(): number;
}

/**
 * Characters that are cached. A site may have any number of pages, and a task keeps its cache while
 * it runs.
 */
const MAX_CACHED_CHARACTERS = 16_000_000;
const TEXT_WEIGHT = 200;
const measureContent = ({ slots }: PageContent) =>
  1 + slots.reduce((sum, { text }) => sum + text.length + TEXT_WEIGHT, 0);

/** Caches the contents of the most recently read pages, but no failures. */
export function createPageContentCache(
  load: (path: string) => Promise<PageContent>,
): PageContentCache {
  const cache = new LRUCache<string, PageContent>({
    maxSize: MAX_CACHED_CHARACTERS,
    sizeCalculation: measureContent,
  });
  let writeCount = 0;
  return {
    async read(path) {
      const cachedContent = cache.get(path);
      if (cachedContent) return cachedContent;
      const writesBefore = writeCount;
      const content = await load(path);
      if (writeCount === writesBefore) cache.set(path, content);
      return content;
    },
    forget(path) {
      writeCount++;
      cache.delete(path);
    },
    size: () => cache.calculatedSize,
  };
}
