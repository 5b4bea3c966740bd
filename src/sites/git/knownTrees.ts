import { createSharedCache } from '../../singleFlight.ts';
import type { Tree } from './siteTree.ts';

/** Bytes of trees that are kept in memory, over all sites, and of an entry without its path. */
const cachedBytes = 128 * 1024 ** 2;
const entryBytes = 250;

/** Trees of one site's folder that were read already, by commit id. */
export interface KnownTrees {
  get(commit: string): Tree | undefined;
  /**
   * Reads a tree once for all who ask meanwhile, for as long as one of them waits, and keeps it.
   */
  read(
    commit: string,
    read: (end: AbortSignal) => Promise<Tree>,
    signal?: AbortSignal,
  ): Promise<Tree>;
  /** Keeps the tree of a commit that was made here. */
  keep(tree: Tree): void;
}

/**
 * The trees of all sites: those that were asked for last stay in memory.
 * @param maxSize bytes of all that are kept
 */
export function createKnownTrees(maxSize = cachedBytes): { of(folder: string): KnownTrees } {
  const sizeOf = ({ entries }: Tree) =>
    entries.values().reduce((sum, { path }) => sum + entryBytes + path.length, 1);
  const trees = createSharedCache({ maxSize, sizeOf });
  return {
    of: (folder) => ({
      get: (commit) => trees.get(`${folder} ${commit}`),
      read: (commit, read, signal) => trees.read(`${folder} ${commit}`, read, signal),
      keep: (tree) => trees.keep(`${folder} ${tree.commit}`, tree),
    }),
  };
}
