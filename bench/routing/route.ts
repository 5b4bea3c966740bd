import { preferredWorkerName, choosePreferredWorker } from '../../src/temporal/workerNames.ts';

export interface Load {
  sites: number;
  workers: number;
  /** On average: tasks come in at random. */
  tasksPerSite: number;
  /** Who runs a step: any worker, the one that ran the task's first step, or the site's home. */
  by: 'any worker' | 'first worker' | 'home';
  /**
   * One worker dies when this part of the tasks is done; those who start tasks notice this part
   * later.
   */
  dies?: { at: number; noticedAfter: number };
}

export interface RoutingResult {
  /** Clones of a repository: a worker's first step on a site. */
  clones: number;
  /** Steps that waited for a dead worker until any worker could run them. */
  waits: number;
}

/**
 * Steps of a task that need the site, at most: readSite, three pages, commitChanges, deployPreview,
 * publish, deployProduction.
 */
const STEPS = 8;

/** Where the steps of many tasks run, and what that costs. The same load gives the same numbers. */
export function route({ sites, workers, tasksPerSite, by, dies }: Load): RoutingResult {
  const random = createRandom(1);
  const pick = (count: number) => Math.floor(random() * count);
  const names = Array.from({ length: workers }, (_, n) => preferredWorkerName(`/data/${n}`));
  const has = new Map(names.map((name) => [name, new Set<number>()]));
  const routed: RoutingResult = { clones: 0, waits: 0 };
  const total = sites * tasksPerSite;
  for (let task = 0; task < total; task++) {
    const isDead = dies !== undefined && task >= dies.at * total;
    const isNoticed = dies !== undefined && task >= (dies.at + dies.noticedAfter) * total;
    const alive = isDead ? names.slice(1) : names;
    const site = pick(sites);
    const first = alive[pick(alive.length)]!;
    let home = choosePreferredWorker(String(site), isNoticed ? alive : names);
    for (let step = 0; step < STEPS; step++) {
      if (by === 'home' && home !== undefined && !alive.includes(home)) {
        routed.waits++;
        home = undefined;
      }
      const any = alive[pick(alive.length)]!;
      const worker = by === 'any worker' ? any : by === 'first worker' ? first : (home ?? any);
      const known = has.get(worker)!;
      if (!known.has(site)) routed.clones++;
      known.add(site);
    }
  }
  return routed;
}

/** A linear congruential generator (Numerical Recipes): numbers from 0 to 1. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
}
