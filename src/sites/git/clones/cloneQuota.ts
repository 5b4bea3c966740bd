import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { listClones } from './cloneName.ts';
import type { CloneSizes } from './cloneSizes.ts';

/**
 * A clone in recent use is likely to be used again soon: by the next activity of a task, or for the
 * same visitor.
 */
const IDLE_MS = 10 * 60_000;

interface CloneQuotaOptions {
  /** The folder of all clones. */
  folder: string;
  /** Most bytes of all clones together. */
  bytes: () => Promise<number>;
  sizes: CloneSizes;
  /** When this process last used a clone, in milliseconds since 1970. */
  lastUse: (name: string) => number;
  /**
   * Removes a clone, unless it is needed or was used in the last `idle` milliseconds.
   * @returns whether it was removed
   */
  remove: (name: string, idle: number) => Promise<boolean>;
  /** Milliseconds that a clone stays after its last use. */
  idle?: number;
}

/** Keeps the clones of this machine within their quota by removing the least recently used ones. */
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
    // an earlier process may have used the clone
    const lastFetch = await stat(join(folder, `${name}.git`, 'FETCH_HEAD')).catch(() => null);
    const lastUsedAt = Math.max(lastUse(name), lastFetch?.mtimeMs ?? 0);
    return { name, bytes: await sizes.of(name), used: lastUsedAt };
  }

  async function shrinkClones(): Promise<void> {
    const clones: Awaited<ReturnType<typeof measureClone>>[] = [];
    for (const name of await listClones(folder)) clones.push(await measureClone(name));
    let excess = clones.reduce((sum, clone) => sum + clone.bytes, 0) - (await maxBytes());
    for (const { name, bytes, used } of clones.sort((first, second) => first.used - second.used)) {
      if (excess <= 0) return;
      if (Math.max(used, lastUse(name)) > Date.now() - idle) continue;
      // a clone that can't be removed must not keep the others from being removed
      if (await remove(name, idle).catch(() => false)) excess -= bytes;
    }
  }

  return {
    /** Removes clones if all together exceed the quota. Calls during a run share it. */
    keep: () => (shrinking ??= shrinkClones().finally(() => (shrinking = undefined))),
  };
}
