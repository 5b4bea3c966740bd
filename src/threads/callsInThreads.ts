import { ownWork, type Threads, type Work } from './threads.ts';

/** Calls that a worker answers, as seen from outside. */
export type InThreads<Calls extends Record<keyof Calls, (...args: never[]) => unknown>> = {
  [Name in keyof Calls]: (...args: Parameters<Calls[Name]>) => Promise<ReturnType<Calls[Name]>>;
};

/** Calls in threads. Called directly, they are the service's own work. */
export type Pooled<Calls> = Calls & {
  for(work: Work): Calls;
  /** Ends the threads. For callers that do not share them. */
  close(): Promise<void>;
};

/** @param callsFor makes the calls for some work */
export function pooled<Calls>(threads: Threads, callsFor: (work: Work) => Calls): Pooled<Calls> {
  return { ...callsFor(ownWork), for: callsFor, close: () => threads.close() };
}
