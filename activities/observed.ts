import {
  activityInfo,
  ApplicationFailure,
  CancelledFailure,
  cancellationSignal,
  heartbeat,
} from '@temporalio/activity';
import type { Logger } from 'pino';
import { DomainError } from '../src/errors.ts';
import type { TaskRef } from './deps.ts';

interface Argument {
  task: TaskRef;
}
type Activity<A extends Argument, R> = (argument: A, signal: AbortSignal) => Promise<R>;
type Observed<T> = { [K in keyof T]: T[K] extends Activity<infer A, infer R> ? (argument: A) => Promise<R> : never };

const HEARTBEAT_EVERY_MS = 1_000;

/** Wraps activities: a heartbeat each second (so that a dead worker's step is repeated soon), one log line, one translation of errors. */
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
    const timer = setInterval(() => heartbeat(), HEARTBEAT_EVERY_MS);
    try {
      const result = await run(argument, cancellationSignal());
      log.info(line(), 'task phase done');
      return result;
    } catch (error) {
      const failure = failureOf(error, activity);
      log.warn(
        { ...line(), code: failure instanceof ApplicationFailure ? failure.type : 'CANCELLED', ...unexpected(error) },
        'task phase failed',
      );
      throw failure;
    } finally {
      clearInterval(timer);
    }
  };
}

/** The one translation of our errors into Temporal's. What we did not foresee keeps its text out of the history: it may hold secrets. */
function failureOf(error: unknown, activity: string): Error {
  if (cancellationSignal().aborted) return new CancelledFailure(`${activity} was cancelled`);
  if (error instanceof DomainError) {
    const { message, code: type, retryable, details } = error;
    return ApplicationFailure.create({
      message,
      type,
      nonRetryable: !retryable,
      ...(details && { details: [details] }),
    });
  }
  return ApplicationFailure.create({ message: `Unexpected error in ${activity}`, type: 'UNEXPECTED' });
}

function unexpected(error: unknown) {
  return error instanceof DomainError || cancellationSignal().aborted ? {} : { err: error };
}
