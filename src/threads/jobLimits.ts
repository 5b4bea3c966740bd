import type { Worker } from 'node:worker_threads';
import type { StartedJob } from './threadAnswer.ts';

/** The limits of one job. */
export interface JobLimits {
  /** Milliseconds of the thread's CPU time. Waiting for a core does not count. */
  cpu: number;
  /** Megabytes that the thread may use in addition to what it used before the job. */
  memory: number;
}

const LOOK_EVERY_MS = 50;
/**
 * Milliseconds of CPU time for an abandoned job. Ending and restarting its thread costs as much.
 */
const UNWANTED_MS = 400;

/**
 * Watches a thread's CPU time and memory while it runs a job.
 * @param options `began`: what the thread had used before the job; `signal`: aborted when nobody
 *   waits for the job any more
 * @param onOver called with the exceeded limit in words
 * @returns a function that ends the watch
 */
export function watchJob(
  thread: Worker,
  {
    began,
    limits,
    signal,
  }: { began: Omit<StartedJob, 'number'>; limits: JobLimits; signal?: AbortSignal | undefined },
  onOver: (limit: string) => void,
): () => void {
  const checkUsage = async () => {
    const { user, system } = await thread.cpuUsage();
    const cpu = signal?.aborted ? Math.min(UNWANTED_MS, limits.cpu) : limits.cpu;
    if (user + system - began.cpu > cpu * 1_000) return onOver(`${cpu / 1_000} s of CPU time`);
    const { used_heap_size: heapBytes, external_memory: externalBytes } =
      await thread.getHeapStatistics();
    if (heapBytes + externalBytes - began.memory > limits.memory * 1024 ** 2)
      onOver(memoryLimitText(limits));
  };
  // a thread that has just ended does not answer
  const timer = setInterval(() => void checkUsage().catch(() => undefined), LOOK_EVERY_MS);
  return () => clearInterval(timer);
}

export const memoryLimitText = ({ memory }: JobLimits) => `${memory} MB of memory`;
