import { readdirSync, readFileSync } from 'node:fs';

/**
 * A line of Linux's /proc/<pid>/stat; times in milliseconds of CPU, counted in hundredths of a
 * second.
 */
interface Stat {
  name: string;
  parent: number;
  own: number;
  /** Of the children that have ended. */
  ended: number;
}

const TICK = 10;

/** @param path of a process or a thread; undefined for one that has just ended */
export function statOf(path: string): Stat | undefined {
  try {
    const stat = readFileSync(path, 'utf8');
    const [opening, closing] = [stat.indexOf('('), stat.lastIndexOf(')')];
    const fields = stat
      .slice(closing + 2)
      .split(' ')
      .map(Number);
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15);
    return {
      name: stat.slice(opening + 1, closing),
      parent: fields[1]!,
      own: (user + system) * TICK,
      ended: (endedUser + endedSystem) * TICK,
    };
  } catch {
    return undefined;
  }
}

/** A process and all that it started, and that these started. */
export function treeOf(pid: number): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const parents = new Map(pids.map((name) => [Number(name), statOf(`/proc/${name}/stat`)?.parent]));
  const tree = [pid];
  for (const parent of tree)
    tree.push(...[...parents].flatMap(([child, of]) => (of === parent ? [child] : [])));
  return tree;
}

/** Milliseconds of CPU time that a process and all below it have taken, but for one of them. */
export function cpuOf(pid: number, but: number): number {
  const stats = treeOf(pid).map((one) => (one === but ? undefined : statOf(`/proc/${one}/stat`)));
  return stats.reduce((sum, stat) => sum + (stat ? stat.own + stat.ended : 0), 0);
}
