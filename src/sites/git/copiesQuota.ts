import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { bytesBelow } from './diskUsage.ts';

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
  /** When this process last used a copy, in milliseconds since 1970. */
  lastUse: (siteId: string) => number;
  /** Removes a copy, unless it is still needed. @returns whether it was removed */
  remove: (siteId: string) => Promise<boolean>;
  /** Milliseconds that a copy stays after its last use. */
  idle?: number;
}

interface Copy {
  siteId: string;
  bytes: number;
  lastUse: number;
}

/** The ids of the sites that have a copy in the folder. */
export async function copiesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => name.endsWith('.git')).map((name) => basename(name, '.git'));
}

/** Keeps the copies of this machine within their quota by removing the least recently used ones. */
export function createQuota({ folder, bytes, lastUse, remove, idle = IDLE_MS }: QuotaOptions) {
  /** The size of each copy, and when it was measured. */
  const measured = new Map<string, { bytes: number; at: number }>();
  let under: Promise<void> | undefined;

  async function look(siteId: string): Promise<Copy> {
    const dir = join(folder, `${siteId}.git`);
    // an earlier process may have used the copy
    const before = await stat(join(dir, 'FETCH_HEAD')).catch(() => null);
    const used = Math.max(lastUse(siteId), before?.mtimeMs ?? 0);
    const known = measured.get(siteId);
    if (known && known.at > used) return { siteId, bytes: known.bytes, lastUse: used };
    const at = Date.now();
    const found = { bytes: await bytesBelow(dir), at };
    measured.set(siteId, found);
    return { siteId, bytes: found.bytes, lastUse: used };
  }

  async function shrink(): Promise<void> {
    const copies: Copy[] = [];
    const present = new Set(await copiesIn(folder));
    for (const siteId of measured.keys()) if (!present.has(siteId)) measured.delete(siteId);
    for (const siteId of present) copies.push(await look(siteId));
    let left = copies.reduce((sum, copy) => sum + copy.bytes, 0);
    const most = await bytes();
    for (const { siteId, bytes, lastUse: used } of copies.sort((a, b) => a.lastUse - b.lastUse)) {
      if (left <= most) return;
      if (Math.max(used, lastUse(siteId)) > Date.now() - idle) continue;
      if (!(await remove(siteId).catch(() => false))) continue; // a damaged one stops no other
      measured.delete(siteId);
      left -= bytes;
    }
  }

  return {
    /** Removes copies if all together exceed the quota. Calls during a run share it. */
    keep: () => (under ??= shrink().finally(() => (under = undefined))),
  };
}
