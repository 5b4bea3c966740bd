import { LRUCache } from 'lru-cache';
import type { PageContent } from '../sites/formats/format.ts';

/** A cache of the contents of pages. */
interface PageContents {
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
const KEPT = 16_000_000;
const TEXT_WEIGHT = 200;
const weightOf = ({ slots }: PageContent) =>
  1 + slots.reduce((sum, { text }) => sum + text.length + TEXT_WEIGHT, 0);

/** Caches the contents of the most recently read pages, but no failures. */
export function createPageContents(load: (path: string) => Promise<PageContent>): PageContents {
  const kept = new LRUCache<string, PageContent>({ maxSize: KEPT, sizeCalculation: weightOf });
  let writes = 0;
  return {
    async read(path) {
      const known = kept.get(path);
      if (known) return known;
      const before = writes;
      const content = await load(path);
      if (writes === before) kept.set(path, content);
      return content;
    },
    forget(path) {
      writes++;
      kept.delete(path);
    },
    size: () => kept.calculatedSize,
  };
}
