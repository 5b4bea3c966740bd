import { ApplicationFailure, CancellationScope, isCancellation, rootCause, TimeoutFailure } from '@temporalio/workflow';

export type Attempt<T> = { ok: true; value: T } | { ok: false; error: unknown };

/** Waits for a promise without throwing. */
export async function attempt<T>(promise: Promise<T>): Promise<Attempt<T>> {
  try {
    return { ok: true, value: await promise };
  } catch (error) {
    return { ok: false, error };
  }
}

/**
 * What a client reads of a failure: the reason that the innermost of its causes gives.
 * @param wasCancelled whether a client asked for the end; an operator may too, in Temporal
 */
export function messageOf(error: unknown, wasCancelled = false): string {
  if (isCancellation(error)) {
    const isAskedFor = wasCancelled || CancellationScope.current().consideredCancelled;
    return isAskedFor ? 'Task was cancelled' : 'Task took longer than is allowed';
  }
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof ApplicationFailure) return cause.message;
    if (cause instanceof TimeoutFailure && cause.cause === undefined) return 'A step of the task timed out';
  }
  return rootCause(error) ?? 'Unexpected error';
}
