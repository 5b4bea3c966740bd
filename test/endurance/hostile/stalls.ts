import { expect } from 'chai';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { startStallClock } from '../../helpers/stallClock.ts';

/** A stall may be so many times as long as that of plain letters of the same size. */
const TIMES = 4;
/**
 * Milliseconds of a stall that are not looked at more closely: other programs of a busy machine
 * take as long. What this looks for took seconds.
 */
export const SHORT_MS = 250;
const TRIES = 4;

/** Does some work. @returns milliseconds of the event loop's longest stall meanwhile */
export type StallMeter = (work: () => Promise<unknown>) => Promise<number>;

/** Measures the event loop of this process. */
export const ownStalls: StallMeter = async (work) => {
  using clock = startStallClock();
  await clock.takeLongest();
  await work();
  // the clock stops when this function returns
  const longest = await clock.takeLongest();
  return longest;
};

interface StallComparison {
  what: string;
  worst: () => Promise<unknown>;
  /** The same work on plain letters of the same size. */
  plain: () => Promise<unknown>;
}

/**
 * Expects that the worst texts stall the event loop hardly longer than plain letters do. What takes
 * long is measured again, and the shortest stalls count, so that a busy machine fails nothing.
 * @returns the longest stall in milliseconds
 */
export async function expectNoStall(
  measure: StallMeter,
  { what, worst, plain }: StallComparison,
): Promise<number> {
  const first = await measure(worst);
  if (first <= SHORT_MS) return first;
  let longest = first;
  let allowed = SHORT_MS;
  for (let i = 1; i < TRIES && longest > allowed; i++) {
    allowed = Math.max(SHORT_MS, TIMES * (await measure(plain)));
    longest = Math.min(longest, await measure(worst));
  }
  expect(longest, `${what}: milliseconds without an answer`).to.be.at.most(allowed);
  return longest;
}

/** Measures the event loop of a service that was started with `stallProbe.ts`. */
export const stallsAt =
  (probe: string): StallMeter =>
  async (work) => {
    await longestStallAt(probe);
    await work();
    return longestStallAt(probe);
  };

/** Milliseconds of the longest stall since the last time. */
const longestStallAt = async (probe: string): Promise<number> => Number(await text(connect(probe)));
