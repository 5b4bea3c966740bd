import { getHeapStatistics } from 'node:v8';
import { parentPort } from 'node:worker_threads';
import { DomainError, type ErrorCode } from '../errors.ts';

/**
 * A thread's answer. Class instances lose their prototype between threads, so a DomainError is sent
 * as plain data.
 */
export type Answer<Value> =
  | { value: Value }
  | { error: { code: ErrorCode; message: string; retryable: boolean } }
  | { unforeseen: unknown };

/** A job as a thread receives it. */
export interface Posted<Job> {
  number: number;
  job: Job;
}

/** A thread's message when a job begins. The job's limits count from these values. */
export interface Begun {
  number: number;
  /** CPU time that the thread has used so far, in microseconds. */
  cpu: number;
  /** Bytes that the thread holds already. */
  memory: number;
}

/** Makes the default export of a worker's module: a function that runs jobs. */
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

/** @throws the error of the job: a DomainError, or any other */
export function valueOf<Value>(answer: Answer<Value>): Value {
  if ('value' in answer) return answer.value;
  if ('unforeseen' in answer) throw answer.unforeseen;
  const { code, message, retryable } = answer.error;
  throw new DomainError(code, message, { retryable });
}
