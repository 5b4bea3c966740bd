import {
  activityInfo,
  ApplicationFailure,
  cancellationDetails,
  cancellationSignal,
  CancelledFailure,
} from '@temporalio/activity';
import type { Logger } from 'pino';
import { defined } from '../src/contract/defined.ts';
import { DomainError } from '../src/errors.ts';
import { type Attempt, currentAttempt } from './attempt.ts';
import type { TaskRef } from './deps.ts';

interface Argument {
  task: TaskRef;
}
type Activity<A extends Argument, R> = (argument: A, signal: AbortSignal, attempt: Attempt) => Promise<R>;
type Observed<T> = { [K in keyof T]: T[K] extends Activity<infer A, infer R> ? (argument: A) => Promise<R> : never };

const HEARTBEAT_EVERY_MS = 1_000;

/**
 * Wraps activities: a heartbeat each second, one log line, one translation of errors. Thanks to the heartbeat, Temporal
 * soon repeats a dead worker's step.
 */
export function observed<T extends Record<string, Activity<never, unknown>>>(log: Logger, activities: T): Observed<T> {
  const wrapped = Object.entries(activities).map(([name, run]) => [
    name,
    observe(log, name, run as Activity<Argument, unknown>),
  ]);
  return Object.fromEntries(wrapped) as Observed<T>;
}

function observe<R>(log: Logger, activity: string, run: Activity<Argument, R>) {
  return async (argument: Argument): Promise<R> => {
    const { taskId, organizationId, requestId } = argument.task;
    const began = performance.now();
    const line = () => ({
      taskId,
      organizationId,
      requestId,
      activity,
      attempt: activityInfo().attempt,
      ms: Math.round(performance.now() - began),
    });
    const attempt = currentAttempt();
    const timer = setInterval(() => attempt.beat(), HEARTBEAT_EVERY_MS);
    try {
      const result = await run(argument, cancellationSignal(), attempt);
      log.info(line(), 'task phase done');
      return result;
    } catch (error) {
      const failed = failureOf(error, activity, attempt);
      log.warn(
        { ...line(), code: failed instanceof ApplicationFailure ? failed.type : 'CANCELLED', ...unexpected(error) },
        'task phase failed',
      );
      throw failed;
    } finally {
      clearInterval(timer);
    }
  };
}

/**
 * The one translation of our errors into Temporal's. The text of an unexpected error stays out of the history, since it
 * may hold secrets. A failure carries the attempt's notes: after the last attempt the workflow finds them only there.
 */
function failureOf(error: unknown, activity: string, attempt: Attempt): Error {
  const kept = attempt.notes() as object | undefined;
  if (cancellationSignal().aborted) return interruption(activity, kept);
  if (error instanceof DomainError) {
    const { message, code: type, retryable, details } = error;
    return failure({ message, type, nonRetryable: !retryable }, details || kept ? { ...details, ...kept } : undefined);
  }
  return failure({ message: `Unexpected error in ${activity}`, type: 'UNEXPECTED' }, kept);
}

/** A worker that shuts down asks for another attempt. The SDK would ask for it too, but without the notes. */
function interruption(activity: string, kept?: object): Error {
  if (kept && cancellationDetails()?.workerShutdown)
    return failure({ message: `${activity} was interrupted by a shutdown`, type: 'WorkerShutdown' }, kept);
  return new CancelledFailure(`${activity} was cancelled`);
}

const failure = (options: { message: string; type: string; nonRetryable?: boolean }, details?: object) =>
  ApplicationFailure.create({ ...options, ...defined({ details: details && [details] }) });

function unexpected(error: unknown) {
  return error instanceof DomainError || cancellationSignal().aborted ? {} : { err: error };
}
