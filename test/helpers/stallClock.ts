import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';

const RESOLUTION_MS = 1;
/** A thread that has less than half of a core is kept waiting by other programs. */
const LEAST_SHARE = 0.5;

/** Measures how long this thread's event loop stalls. */
export interface StallClock extends Disposable {
  /** Milliseconds of the longest stall since the last time. */
  takeLongest(): Promise<number>;
}

/**
 * Starts to measure. On a busy machine, the event loop's delay also counts the time in which other
 * programs have the core. So a stall counts for at most twice the CPU time that the thread used
 * between two of its timers.
 */
export function startStallClock(): StallClock {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  let longestCpu = 0;
  let last = cpuTime();
  const timer = setInterval(() => {
    const now = cpuTime();
    longestCpu = Math.max(longestCpu, now - last);
    last = now;
  }, RESOLUTION_MS).unref();
  return {
    async takeLongest() {
      // both learn of a stall only at their next timer
      await timersFired();
      const longest = Math.min(histogram.max / 1e6, longestCpu / LEAST_SHARE);
      histogram.reset();
      longestCpu = 0;
      // the histogram leaves out what comes before its first timer after a reset
      await timersFired();
      return longest;
    },
    [Symbol.dispose]() {
      clearInterval(timer);
      histogram.disable();
    },
  };
}

/** Waits until each timer has fired. Right after a stall, all of them are due in any order. */
async function timersFired(): Promise<void> {
  for (let i = 0; i < 3; i++) await delay(RESOLUTION_MS);
}

/** Milliseconds of this thread's CPU time. */
function cpuTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
