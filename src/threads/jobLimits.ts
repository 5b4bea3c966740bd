import type { Worker } from 'node:worker_threads';
import type { Begun } from './answer.ts';

/** What one job may use. */
export interface JobLimits {
  /** Milliseconds of its thread's own CPU time: waiting for a core is not counted. */
  cpu: number;
  /** Megabytes that its thread holds more than before. */
  memory: number;
}

const LOOK_EVERY_MS = 50;
/**
 * Milliseconds of CPU time for a job that nobody waits for any more: as much as ending its thread
 * and starting another one costs.
 */
const UNWANTED_MS = 400;

/**
 * Watches what a thread uses while a job runs there.
 * @param options.began what the thread had used when the job began
 * @param options.signal aborted once nobody waits for the job
 * @param onOver called when the job is over a limit, with the limit in words
 * @returns ends the watch
 */
export function watch(
  thread: Worker,
  {
    began,
    limits,
    signal,
  }: { began: Omit<Begun, 'number'>; limits: JobLimits; signal?: AbortSignal | undefined },
  onOver: (limit: string) => void,
): () => void {
  const look = async () => {
    const { user, system } = await thread.cpuUsage();
    const cpu = signal?.aborted ? Math.min(UNWANTED_MS, limits.cpu) : limits.cpu;
    if (user + system - began.cpu > cpu * 1_000) return onOver(`${cpu / 1_000} s of CPU time`);
    const { used_heap_size: heap, external_memory: outside } = await thread.getHeapStatistics();
    if (heap + outside - began.memory > limits.memory * 1024 ** 2) onOver(memoryLimit(limits));
  };
  // a thread that has just ended answers no more
  const timer = setInterval(() => void look().catch(() => undefined), LOOK_EVERY_MS);
  return () => clearInterval(timer);
}

export const memoryLimit = ({ memory }: JobLimits) => `${memory} MB of memory`;
