import { LRUCache } from 'lru-cache';
import type { Tree } from './repository.ts';

/** Bytes of trees that are kept in memory, over all sites, and of an entry without its path. */
const cachedBytes = 128 * 1024 ** 2;
const entryBytes = 250;

/** Trees of one site's folder that were read already, by commit id. */
export interface KnownTrees {
  get(commit: string): Tree | undefined;
  /** Reads a tree once for all who ask meanwhile, and keeps it. */
  read(commit: string, read: () => Promise<Tree>): Promise<Tree>;
}

/** The trees of all sites: those that were asked for last stay in memory. */
export function createKnownTrees(): { of(folder: string): KnownTrees } {
  const trees = new LRUCache<string, Tree, () => Promise<Tree>>({
    maxSize: cachedBytes,
    sizeCalculation: ({ entries }) => entries.values().reduce((sum, { path }) => sum + entryBytes + path.length, 1),
    ignoreFetchAbort: true, // a reading whose place another one took still answers
    fetchMethod: (_key, _old, { context: read }) => read(),
  });
  return {
    of: (folder) => ({
      get: (commit) => trees.get(`${folder} ${commit}`),
      read: (commit, read) => trees.forceFetch(`${folder} ${commit}`, { context: read }),
    }),
  };
}
