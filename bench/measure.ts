/** One thing that was measured beside its counterpart. */
export interface Comparison {
  /** What was measured / what it is compared with. */
  what: string;
  /** The ratio that it should have; without one, undefined. */
  aim: string | undefined;
  unit: Unit;
  /** One for each round. */
  measured: number[];
  baseline: number[];
}

export type Unit = 'ms' | 'a second';

export function median(values: number[]): number {
  return percentile(values, 0.5);
}

/** @param part from 0 to 1; between two values, what lies between them */
export function percentile(values: number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const place = (sorted.length - 1) * part;
  const [below, above] = [sorted[Math.floor(place)]!, sorted[Math.ceil(place)]!];
  return below + (above - below) * (place - Math.floor(place));
}

/** @returns milliseconds that the work took */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/**
 * Does something so many times at once. Where one fails, it fails when all others have ended too.
 */
export const atOnce = <T>(count: number, work: (n: number) => Promise<T>): Promise<T[]> =>
  allEnded(Array.from({ length: count }, (_, n) => work(n)));

/**
 * `Promise.all` that leaves nothing under way: to close a connection that a call still waits at
 * ends the process.
 */
export async function allEnded<T>(works: Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(works);
  return Promise.all(works);
}

export interface Rounds {
  aim?: string;
  unit?: Unit;
  /** How often both are measured, besides the warm-up. */
  rounds: number;
  /** No round begins later than so many milliseconds after the first. */
  within?: number;
}

const WITHIN_MS = 20_000;

/**
 * Measures both in turn, so that other load slows both. The first round is a warm-up, and counts
 * only if it is the only one for which there was time.
 */
export async function compare(
  what: string,
  { aim, unit = 'ms', rounds, within = WITHIN_MS }: Rounds,
  work: {
    measured: (round: number) => Promise<number>;
    baseline: (round: number) => Promise<number>;
  },
): Promise<Comparison> {
  const pairs: [number, number][] = [];
  const began = performance.now();
  for (
    let round = 0;
    round <= rounds && (round === 0 || performance.now() - began < within);
    round++
  )
    pairs.push([await work.measured(round), await work.baseline(round)]);
  if (pairs.length > 1) pairs.shift();
  return {
    what,
    aim,
    unit,
    measured: pairs.map(([ours]) => ours),
    baseline: pairs.map(([, theirs]) => theirs),
  };
}

export const ratioOf = ({ measured, baseline }: Comparison) => median(measured) / median(baseline);
