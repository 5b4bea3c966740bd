import {
  ApplicationFailure,
  CancellationScope,
  isCancellation,
  rootCause,
  TimeoutFailure,
} from '@temporalio/workflow';

export type SettledResult<T> = { ok: true; value: T } | { ok: false; error: unknown };

export const CANCELLED = 'The task was cancelled';

/** Waits for a promise without throwing: returns its value or its error. */
export async function settle<T>(promise: Promise<T>): Promise<SettledResult<T>> {
  try {
    return { ok: true, value: await promise };
  } catch (error) {
    return { ok: false, error };
  }
}

/** The message of a failure for clients: that of the first ApplicationFailure among its causes. */
export function clientMessage(error: unknown): string {
  if (isCancellation(error)) {
    return CancellationScope.current().consideredCancelled
      ? CANCELLED
      : 'The task exceeded its time limit';
  }
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof ApplicationFailure) return cause.message;
    if (cause instanceof TimeoutFailure && cause.cause === undefined)
      return 'An activity of the task timed out';
  }
  return rootCause(error) ?? 'Unexpected error';
}
