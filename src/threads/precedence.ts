import { setTimeout as delay } from 'node:timers/promises';
import { createFairQueue } from '../fairQueue.ts';
import { threadCount, type Work, type WorkInTurn } from './threads.ts';

/** Milliseconds that a job of a batch waits for tasks at most. A page takes three jobs. */
const PAUSE_MS = 250;
/** Milliseconds after a step in which its task counts as at work: its next step is on its way. */
const BETWEEN_STEPS_MS = 200;

/** Lets tasks go before batches. All share the cores and the main thread of a process. */
export interface Precedence {
  /** Runs a step of a task. */
  during: <T>(step: () => Promise<T>) => Promise<T>;
  /** Work of a batch, whose jobs in threads pause while tasks work. */
  after: (work: Work) => WorkInTurn;
}

/**
 * @param options.pause milliseconds that a job waits for tasks at most
 * @param options.between milliseconds after a step in which its task counts as at work
 */
export function createPrecedence({
  pause = PAUSE_MS,
  between = BETWEEN_STEPS_MS,
} = {}): Precedence {
  // jobs that wait for a thread can't let a later task go first, so most of them wait here
  const places = threadCount() - 1;
  const queue = createFairQueue({ what: 'tasks, which go before batches', places });
  let working = 0;
  let idle = Promise.withResolvers<void>();
  const end = () => {
    if (--working === 0) idle.resolve();
  };
  const pauseBeside = async () => {
    if (working > 0) await Promise.race([idle.promise, delay(pause, undefined, { ref: false })]);
  };
  return {
    during: async (step) => {
      if (working++ === 0) idle = Promise.withResolvers();
      try {
        return await step();
      } finally {
        setTimeout(end, between).unref();
      }
    },
    after: (work) => ({
      ...work,
      inTurn: (job) => queue.run(work.organizationId, () => pauseBeside().then(job), work.signal),
    }),
  };
}
