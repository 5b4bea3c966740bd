import { getHeapStatistics } from 'node:v8';
import { parentPort } from 'node:worker_threads';
import { DomainError, type ErrorCode } from '../errors.ts';
import { unpackArgument } from './sharedValues.ts';

/**
 * A thread's answer. Class instances lose their prototype between threads, so a DomainError is sent
 * as plain data.
 */
export type ThreadAnswer =
  | { value: unknown }
  | { error: { code: ErrorCode; message: string; retryable: boolean } }
  | { unforeseen: unknown };

/** A call of a function that a thread serves. */
export interface ThreadJob {
  name: string;
  args: unknown[];
}

/** A job as a thread receives it. */
export interface PostedJob {
  number: number;
  job: ThreadJob;
}

/** A thread's message when a job begins. The job's limits count from these values. */
export interface StartedJob {
  number: number;
  /** CPU time that the thread has used so far, in microseconds. */
  cpu: number;
  /** Bytes that the thread holds already. */
  memory: number;
}

/** Functions that a thread serves, by their names. */
export type ServedFunctions<Table> = Record<keyof Table, (...args: never[]) => unknown>;

/**
 * Creates the default export of a module whose functions run in threads.
 * @param table the functions by their names
 * @param errorOf changes the error of a call, given the call's arguments
 */
export function serveFunctions<Table extends ServedFunctions<Table>>(
  table: Table,
  errorOf: (error: unknown, args: unknown[]) => unknown = (error) => error,
): (posted: PostedJob) => ThreadAnswer {
  const functions = table as Record<string, (...args: never[]) => unknown>;
  return ({ number, job: { name, args } }) => {
    const { user, system } = process.threadCpuUsage();
    const { used_heap_size: heapBytes, external_memory: externalBytes } = getHeapStatistics();
    parentPort?.postMessage({
      number,
      cpu: user + system,
      memory: heapBytes + externalBytes,
    } satisfies StartedJob);
    try {
      return { value: functions[name]!(...(args.map(unpackArgument) as never[])) };
    } catch (thrownError) {
      const error = errorOf(thrownError, args);
      if (!(error instanceof DomainError)) return { unforeseen: error };
      const { code, message, retryable } = error;
      return { error: { code, message, retryable } };
    }
  };
}

/** Returns the value of a thread's answer. @throws the job's error: a DomainError, or any other */
export function answeredValue(answer: ThreadAnswer): unknown {
  if ('value' in answer) return answer.value;
  if ('unforeseen' in answer) throw answer.unforeseen;
  const { code, message, retryable } = answer.error;
  throw new DomainError(code, message, { retryable });
}
