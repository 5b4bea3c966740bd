import { setTimeout as delay } from 'node:timers/promises';
import { createFairQueue } from '../fairQueue.ts';
import { threadCount, type JobOwner, type PrioritizedJobOwner } from './threadPool.ts';

/** Milliseconds that a job of a batch waits for tasks at most. A page takes three jobs. */
const PAUSE_MS = 250;
/**
 * Milliseconds after an activity in which its task counts as working: its next one follows soon.
 */
const BETWEEN_STEPS_MS = 200;

/** Gives tasks priority over batches, since all share the cores and main thread of a process. */
export interface TaskPriority {
  /** Runs an activity of a task. Meanwhile, the jobs of batches pause. */
  during: <T>(step: () => Promise<T>) => Promise<T>;
  /** Returns the job owner for work of a batch, whose jobs in threads pause while tasks work. */
  after: (jobOwner: JobOwner) => PrioritizedJobOwner;
}

/**
 * Creates the priority that all activities of a process share.
 * @param options.pause milliseconds that a job of a batch waits for tasks at most
 * @param options.between milliseconds after an activity in which its task counts as working
 */
export function createTaskPriority({
  pause = PAUSE_MS,
  between = BETWEEN_STEPS_MS,
} = {}): TaskPriority {
  // jobs that wait for a thread can't let a later task go first, so most of them wait here
  const freeThreads = threadCount() - 1;
  const queue = createFairQueue({
    what: 'tasks, which have priority over batches',
    places: freeThreads,
  });
  let workingSteps = 0;
  let idleState = Promise.withResolvers<void>();
  const endStep = () => {
    if (--workingSteps === 0) idleState.resolve();
  };
  const pauseWhileWorking = async () => {
    if (workingSteps > 0)
      await Promise.race([idleState.promise, delay(pause, undefined, { ref: false })]);
  };
  return {
    during: async (step) => {
      if (workingSteps++ === 0) idleState = Promise.withResolvers();
      try {
        return await step();
      } finally {
        setTimeout(endStep, between).unref();
      }
    },
    after: (jobOwner) => ({
      ...jobOwner,
      inTurn: (job) =>
        queue.run(jobOwner.organizationId, () => pauseWhileWorking().then(job), jobOwner.signal),
    }),
  };
}
