import { createSharedCache } from '../../../singleFlight.ts';
import type { SiteTree } from './siteTree.ts';

/** Bytes of the trees of all sites that are kept in memory, and of an entry without its path. */
const cachedBytes = 128 * 1024 ** 2;
const entryBytes = 250;

/** Cached trees of one site's folder, by commit id. */
export interface SiteTreeCache {
  get(commit: string): SiteTree | undefined;
  /**
   * Returns the cached tree, or reads it once for all concurrent callers and caches it. The reading
   * stops when no caller waits any more.
   */
  read(
    commit: string,
    read: (end: AbortSignal) => Promise<SiteTree>,
    signal?: AbortSignal,
  ): Promise<SiteTree>;
  /** Keeps the tree of a commit that this process made. */
  keep(tree: SiteTree): void;
}

/**
 * Caches trees of all sites. Keeps the most recently used ones.
 * @param maxSize bytes of all cached trees
 */
export function createTreeCache(maxSize = cachedBytes): { of(folder: string): SiteTreeCache } {
  const sizeOf = ({ entries }: SiteTree) =>
    entries
      .values()
      .reduce((sum, { path, text = '' }) => sum + entryBytes + path.length + text.length, 1);
  const trees = createSharedCache({ maxSize, sizeOf });
  return {
    of: (folder) => ({
      get: (commit) => trees.get(`${folder} ${commit}`),
      read: (commit, read, signal) => trees.read(`${folder} ${commit}`, read, signal),
      keep: (tree) => trees.keep(`${folder} ${tree.commit}`, tree),
    }),
  };
}
