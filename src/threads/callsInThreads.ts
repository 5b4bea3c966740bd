import { ownWork, type Threads, type Work } from './threads.ts';

/** The calls that a worker's module answers, for its callers in other threads. */
export type InThreads<Calls extends Record<keyof Calls, (...args: never[]) => unknown>> = {
  [Name in keyof Calls]: (...args: Parameters<Calls[Name]>) => Promise<ReturnType<Calls[Name]>>;
};

/** Calls that run in threads. Called directly, they run for no organization (`ownWork`). */
export type Pooled<Calls> = Calls & {
  for(work: Work): Calls;
  /** Ends the threads. Only for callers that do not share them. */
  close(): Promise<void>;
};

/** @param callsFor binds the calls to an organization and a signal */
export function pooled<Calls>(threads: Threads, callsFor: (work: Work) => Calls): Pooled<Calls> {
  return { ...callsFor(ownWork), for: callsFor, close: () => threads.close() };
}
