import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { copiesIn } from './copyName.ts';
import type { CopySizes } from './diskUsage.ts';

/**
 * A copy in recent use is likely to be used again soon: by the next step of a task, or for the same
 * visitor.
 */
const IDLE_MS = 10 * 60_000;

interface QuotaOptions {
  /** The folder of all copies. */
  folder: string;
  /** Bytes of all copies together. */
  bytes: () => Promise<number>;
  sizes: CopySizes;
  /** When this process last used a copy, in milliseconds since 1970. */
  lastUse: (name: string) => number;
  /**
   * Removes a copy, unless it is needed or was used in the last `idle` milliseconds.
   * @returns whether it was removed
   */
  remove: (name: string, idle: number) => Promise<boolean>;
  /** Milliseconds that a copy stays after its last use. */
  idle?: number;
}

/** Keeps the copies of this machine within their quota by removing the least recently used ones. */
export function createQuota({
  folder,
  bytes: most,
  sizes,
  lastUse,
  remove,
  idle = IDLE_MS,
}: QuotaOptions) {
  let underWay: Promise<void> | undefined;

  async function measureClone(name: string) {
    // an earlier process may have used the copy
    const before = await stat(join(folder, `${name}.git`, 'FETCH_HEAD')).catch(() => null);
    const used = Math.max(lastUse(name), before?.mtimeMs ?? 0);
    return { name, bytes: await sizes.of(name), used };
  }

  async function shrinkClones(): Promise<void> {
    const copies: Awaited<ReturnType<typeof measureClone>>[] = [];
    for (const name of await copiesIn(folder)) copies.push(await measureClone(name));
    let excess = copies.reduce((sum, copy) => sum + copy.bytes, 0) - (await most());
    for (const { name, bytes, used } of copies.sort((a, b) => a.used - b.used)) {
      if (excess <= 0) return;
      if (Math.max(used, lastUse(name)) > Date.now() - idle) continue;
      // a damaged one stops no other
      if (await remove(name, idle).catch(() => false)) excess -= bytes;
    }
  }

  return {
    /** Removes copies if all together exceed the quota. Calls during a run share it. */
    keep: () => (underWay ??= shrinkClones().finally(() => (underWay = undefined))),
  };
}
