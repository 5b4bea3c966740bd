import {
  activityInfo,
  ApplicationFailure,
  cancellationDetails,
  cancellationSignal,
  CancelledFailure,
} from '@temporalio/activity';
import type { Logger } from 'pino';
import { defined } from '../src/contract/defined.ts';
import type { StepDelays } from '../src/contract/metrics.ts';
import type { Heartbeats } from '../src/contract/task.ts';
import { DomainError } from '../src/errors.ts';
import { countWaits, type Waits } from '../src/waiting.ts';
import { type Attempt, currentAttempt, type Lost } from './attempt.ts';
import type { TaskRef } from './deps.ts';

interface Argument {
  /** Absent: the step is housekeeping. */
  task?: TaskRef;
  /** The language model that is asked. */
  model?: string;
}
type Activity<A extends Argument, R> = (
  argument: A,
  signal: AbortSignal,
  attempt: Attempt,
) => Promise<R>;
type Observed<T> = {
  [K in keyof T]: T[K] extends Activity<infer A, infer R>
    ? (argument: A, lost?: Lost) => Promise<R>
    : never;
};

interface Options {
  /** Milliseconds that a step may work. Waiting for a turn does not count. */
  workLimit?: number;
  /** Default: as the embedded server gets them. */
  heartbeats?: Heartbeats | undefined;
  /** Aborts when the process takes no more steps. */
  stopping?: AbortSignal | undefined;
  /** Told of each attempt when it ends. */
  onStep?: ((delays: StepDelays) => void) | undefined;
}

const WORK_LIMIT_MS = 5 * 60_000;
/** Many steps may wait, and each heartbeat costs the server. */
const WAITING_BEAT_EVERY_MS = 4_000;
/** None at all would mean the policy's. */
const AT_ONCE_MS = 1;
/** The longest delay before the next attempt that a remote can ask for. */
const LONGEST_DELAY_MS = 5 * 60_000;

/**
 * Wraps activities: heartbeats, a limit on the time of their work, one log line, one translation of
 * errors. Without heartbeats Temporal repeats a step: its worker is dead.
 */
export function observed<T extends Record<string, Activity<never, unknown>>>(
  log: Logger,
  activities: T,
  options: Options = {},
): Observed<T> {
  const wrapped = Object.entries(activities).map(([name, run]) => [
    name,
    observe(log, name, run as Activity<Argument, unknown>, options),
  ]);
  return Object.fromEntries(wrapped) as Observed<T>;
}

function observe<R>(log: Logger, activity: string, run: Activity<Argument, R>, options: Options) {
  return (argument: Argument, lost?: Lost): Promise<R> =>
    countWaits(async (waits) => {
      const attempt = currentAttempt(waits, lost);
      const heartbeatEvery = intervalOf(argument, options.heartbeats);
      const step = startStep(activity, { attempt, waits, ...options, heartbeatEvery });
      const inQueue = secondsInQueue();
      const line = () => ({ ...lineOf(argument, activity), ...step.times() });
      try {
        const result = await step.inTime(run(argument, step.signal, attempt));
        log.info(line(), 'task phase done');
        return result;
      } catch (error) {
        const isHandedOver = options.stopping?.aborted && error === options.stopping.reason;
        const failed =
          isHandedOver || isCutOff(argument)
            ? handOver(activity, attempt)
            : failureOf(error, activity, attempt);
        log.warn(
          {
            ...line(),
            code: failed instanceof ApplicationFailure ? failed.type : 'CANCELLED',
            ...unexpected(error),
          },
          'task phase failed',
        );
        throw failed;
      } finally {
        step.end();
        options.onStep?.({
          queue: activityInfo().taskQueue,
          inQueue,
          inSlot: waits.total() / 1_000,
        });
      }
    });
}

/**
 * A third, at most, of the time after which the step counts as lost. The SDK sends one in 0.8 of
 * that time, or as often as the worker's options say, if that is more: a task that was made for
 * another server may get fewer than three.
 */
function intervalOf(
  { model }: Argument,
  heartbeats: Heartbeats = { steps: 1_000, models: 300 },
): number {
  const { heartbeatTimeoutMs = Infinity } = activityInfo();
  return Math.min(heartbeats[model === undefined ? 'steps' : 'models'], heartbeatTimeoutMs / 3);
}

const lineOf = ({ task }: Argument, activity: string) => ({
  taskId: task?.taskId,
  organizationId: task?.organizationId,
  requestId: task?.requestId,
  activity,
  attempt: activityInfo().attempt,
});

/** The time of one attempt. Its heartbeats tell what it waits for. */
function startStep(
  activity: string,
  {
    attempt,
    waits,
    workLimit = WORK_LIMIT_MS,
    heartbeatEvery,
  }: Options & { attempt: Attempt; waits: Waits; heartbeatEvery: number },
) {
  const began = performance.now();
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const late = new AbortController();
  const beat = createBeat(attempt, waits, Math.ceil(WAITING_BEAT_EVERY_MS / heartbeatEvery));
  const timer = setInterval(() => {
    beat();
    if (performance.now() - began - waits.total() <= workLimit) return;
    late.abort(tookTooLong(activity, workLimit));
    reject(late.signal.reason as Error);
  }, heartbeatEvery);
  return {
    signal: AbortSignal.any([cancellationSignal(), late.signal]),
    /** Gives work up that does not listen to the signal, as a query that is never answered. */
    inTime: <T>(work: Promise<T>) => Promise.race([work, tooLate]),
    times: () => {
      const waitedMs = Math.round(waits.total());
      return { ms: Math.round(performance.now() - began), ...(waitedMs > 0 && { waitedMs }) };
    },
    end: () => clearInterval(timer),
  };
}

/** From when this attempt was due; the server's clock may be ahead of ours. */
const secondsInQueue = () =>
  Math.max(0, Date.now() - activityInfo().currentAttemptScheduledTimestampMs) / 1_000;

/** A heartbeat at each call, or while the step waits at some of them. */
function createBeat(attempt: Attempt, waits: Waits, whileWaiting: number) {
  let waitsFor: string | undefined;
  let skipped = 0;
  return () => {
    const isNews = waits.current() !== waitsFor;
    waitsFor = waits.current();
    if (waitsFor !== undefined && !isNews && ++skipped < whileWaiting) return;
    skipped = 0;
    attempt.beat(waitsFor);
  };
}

const tookTooLong = (activity: string, limit: number) =>
  new DomainError(
    'TOOK_TOO_LONG',
    `A step of the task (${activity}) took longer than ${limit / 1_000} s`,
    {
      retryable: true,
    },
  );

/**
 * The one translation of our errors into Temporal's. The text of an unexpected error stays out of
 * the history, since it may hold secrets. A failure carries the attempt's notes: after the last
 * attempt the workflow finds them only there.
 */
function failureOf(error: unknown, activity: string, attempt: Attempt): Error {
  const kept = attempt.notes() as object | undefined;
  if (cancellationSignal().aborted) return interruption(activity, kept);
  if (error instanceof DomainError) {
    const { message, code: type, retryable, retryAfter, details } = error;
    const nextRetryDelay = retryAfter === undefined ? undefined : delayFor(retryAfter);
    return failure(
      { message, type, nonRetryable: !retryable, ...defined({ nextRetryDelay }) },
      details || kept ? { ...details, ...kept } : undefined,
    );
  }
  return failure({ message: `Unexpected error in ${activity}`, type: 'UNEXPECTED' }, kept);
}

/**
 * Milliseconds until the next attempt where a remote asks for some: never less than the step's own
 * policy waits, or a remote that always asks for a second would soon have used up all attempts.
 */
function delayFor(retryAfter: number): number {
  const { attempt, retryPolicy } = activityInfo();
  // a running activity gets its policy's intervals as milliseconds
  const first = Number(retryPolicy?.initialInterval ?? 0);
  const longest = Math.min(
    Number(retryPolicy?.maximumInterval ?? LONGEST_DELAY_MS),
    LONGEST_DELAY_MS,
  );
  const backoff = Math.min(
    first * (retryPolicy?.backoffCoefficient ?? 2) ** (attempt - 1),
    longest,
  );
  return Math.min(Math.max(retryAfter, backoff), LONGEST_DELAY_MS);
}

/** Whether it was a call of a language model, and the grace of the process is over. */
const isCutOff = ({ model }: Argument) =>
  model !== undefined && cancellationDetails()?.workerShutdown === true;

/**
 * Another process begins with it at once: the attempt failed by no fault of the step, and its work
 * does not count.
 */
function handOver(activity: string, attempt: Attempt): Error {
  attempt.forgetWork();
  attempt.beat();
  const kept = attempt.notes() as object | undefined;
  return failure(
    { message: interrupted(activity), type: 'WorkerShutdown', nextRetryDelay: AT_ONCE_MS },
    kept,
  );
}

const interrupted = (activity: string) => `${activity} was interrupted by a shutdown`;

/**
 * A worker that shuts down asks for another attempt. The SDK would ask for it too, but without the
 * notes.
 */
function interruption(activity: string, kept?: object): Error {
  if (kept && cancellationDetails()?.workerShutdown)
    return failure({ message: interrupted(activity), type: 'WorkerShutdown' }, kept);
  return new CancelledFailure(`${activity} was cancelled`);
}

const failure = (
  options: { message: string; type: string; nonRetryable?: boolean; nextRetryDelay?: number },
  details?: object,
) => ApplicationFailure.create({ ...options, ...defined({ details: details && [details] }) });

function unexpected(error: unknown) {
  return error instanceof DomainError || cancellationSignal().aborted ? {} : { err: error };
}
