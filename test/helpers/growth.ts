import { expect } from 'chai';

const TIMES = 10;
/**
 * Quadratic work takes 100 times as long for ten times as much, linear work 10 times; what is
 * between is noise.
 */
const MOST = 40;
/** Milliseconds of CPU time that are not looked at more closely. */
const SHORT = 25;
/** The clock's step on some machines: less was not measured. */
const LEAST = 4;
const TRIES = 3;

/**
 * Expects that work takes about ten times as long for an input ten times as large. What takes long
 * is measured again, and the shortest times count: a busy machine fails nothing.
 * @param size of the smaller input
 * @param work gets a size
 */
export function expectLinear(size: number, work: (size: number) => void, what: string) {
  const taken = (of: number) => cpuTime(() => work(of));
  let large = taken(size * TIMES);
  if (large < SHORT) return;
  let small = taken(size);
  for (let i = 1; i < TRIES && large > MOST * Math.max(small, LEAST); i++) {
    large = Math.min(large, taken(size * TIMES));
    small = Math.max(LEAST, Math.min(small, taken(size)));
  }
  expect(large, `${what}: ms for ${size * TIMES}, ${small} for ${size}`).to.be.below(
    MOST * Math.max(small, LEAST),
  );
}

/**
 * Milliseconds of this thread's CPU time that the work takes: a busy machine does not change them.
 */
export function cpuTime(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
