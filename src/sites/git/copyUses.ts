import { type Call, wrapCalls } from './wrapCalls.ts';

/** Counts the uses of this machine's copies. */
export interface CopyUses {
  /**
   * Wraps functions: each call counts as a use of the site's copy. Calls wait while the copy is
   * being removed.
   */
  track<T extends object>(siteId: string, functions: T): T;
  /** When a copy was last used, in milliseconds since 1970: now, if it is in use; 0 if never. */
  last: (siteId: string) => number;
  /**
   * Removes a copy that is not in use.
   * @returns false if the copy is in use
   */
  remove(siteId: string, work: () => Promise<void>): Promise<boolean>;
  /** Counts a forced removal, made without checking for users. */
  removed(siteId: string): void;
  /** How many times a copy was removed. */
  generation(siteId: string): number;
  /** Frees the counters of a copy that is not used again. */
  forget(siteId: string): void;
}

interface Use {
  running: number;
  last: number;
  removals: number;
  removing?: Promise<void> | undefined;
}

export function createCopyUses(now: () => number = Date.now): CopyUses {
  const uses = new Map<string, Use>();

  const useOf = (siteId: string) => {
    const use = uses.get(siteId) ?? { running: 0, last: 0, removals: 0 };
    uses.set(siteId, use);
    return use;
  };

  const tracked =
    (use: Use, call: Call): Call =>
    async (...args) => {
      use.running++;
      try {
        await use.removing;
        return await call(...args);
      } finally {
        use.running--;
        use.last = now();
      }
    };

  return {
    track(siteId, functions) {
      const use = useOf(siteId);
      return wrapCalls(functions, (call) => tracked(use, call));
    },
    last: (siteId) => (useOf(siteId).running > 0 ? now() : useOf(siteId).last),
    async remove(siteId, work) {
      const use = useOf(siteId);
      if (use.running > 0) return false;
      use.removals++;
      use.removing = work();
      await use.removing.finally(() => (use.removing = undefined));
      return true;
    },
    removed: (siteId) => void useOf(siteId).removals++,
    generation: (siteId) => useOf(siteId).removals,
    forget: (siteId) => void uses.delete(siteId),
  };
}
