import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { listClones } from './cloneName.ts';
import type { CloneSizes } from './cloneSizes.ts';

/**
 * A copy in recent use is likely to be used again soon: by the next step of a task, or for the same
 * visitor.
 */
const IDLE_MS = 10 * 60_000;

interface CloneQuotaOptions {
  /** The folder of all copies. */
  folder: string;
  /** Bytes of all copies together. */
  bytes: () => Promise<number>;
  sizes: CloneSizes;
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
export function createCloneQuota({
  folder,
  bytes: maxBytes,
  sizes,
  lastUse,
  remove,
  idle = IDLE_MS,
}: CloneQuotaOptions) {
  let shrinking: Promise<void> | undefined;

  async function measureClone(name: string) {
    // an earlier process may have used the copy
    const lastFetch = await stat(join(folder, `${name}.git`, 'FETCH_HEAD')).catch(() => null);
    const used = Math.max(lastUse(name), lastFetch?.mtimeMs ?? 0);
    return { name, bytes: await sizes.of(name), used };
  }

  async function shrinkClones(): Promise<void> {
    const clones: Awaited<ReturnType<typeof measureClone>>[] = [];
    for (const name of await listClones(folder)) clones.push(await measureClone(name));
    let excess = clones.reduce((sum, clone) => sum + clone.bytes, 0) - (await maxBytes());
    for (const { name, bytes, used } of clones.sort((first, second) => first.used - second.used)) {
      if (excess <= 0) return;
      if (Math.max(used, lastUse(name)) > Date.now() - idle) continue;
      // a damaged one stops no other
      if (await remove(name, idle).catch(() => false)) excess -= bytes;
    }
  }

  return {
    /** Removes copies if all together exceed the quota. Calls during a run share it. */
    keep: () => (shrinking ??= shrinkClones().finally(() => (shrinking = undefined))),
  };
}
