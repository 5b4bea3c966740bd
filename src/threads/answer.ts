import { getHeapStatistics } from 'node:v8';
import { parentPort } from 'node:worker_threads';
import { DomainError, type ErrorCode } from '../errors.ts';

/**
 * A thread's answer. Class instances lose their prototype between threads, so our errors travel as
 * data.
 */
export type Answer<Value> =
  | { value: Value }
  | { error: { code: ErrorCode; message: string; retryable: boolean } }
  | { unforeseen: unknown };

/** A job on its way to a thread. */
export interface Posted<Job> {
  number: number;
  job: Job;
}

/** What a thread reports when a job begins. The job's limits count from there. */
export interface Begun {
  number: number;
  /** CPU time that the thread has used so far, in microseconds. */
  cpu: number;
  /** Bytes that the thread holds already. */
  memory: number;
}

/** Makes the default export of a worker's module, which answers jobs. */
export function answering<Job, Value>(
  work: (job: Job) => Value,
): (posted: Posted<Job>) => Answer<Value> {
  return ({ number, job }) => {
    const { user, system } = process.threadCpuUsage();
    const { used_heap_size: heap, external_memory: outside } = getHeapStatistics();
    parentPort?.postMessage({ number, cpu: user + system, memory: heap + outside } satisfies Begun);
    try {
      return { value: work(job) };
    } catch (error) {
      if (!(error instanceof DomainError)) return { unforeseen: error };
      const { code, message, retryable } = error;
      return { error: { code, message, retryable } };
    }
  };
}

/** @throws DomainError as the work threw it, and whatever else it threw */
export function valueOf<Value>(answer: Answer<Value>): Value {
  if ('value' in answer) return answer.value;
  if ('unforeseen' in answer) throw answer.unforeseen;
  const { code, message, retryable } = answer.error;
  throw new DomainError(code, message, { retryable });
}
