import {
  activityInfo,
  ApplicationFailure,
  cancellationDetails,
  cancellationSignal,
  CancelledFailure,
} from '@temporalio/activity';
import type { Logger } from 'pino';
import { withoutUndefined } from '../src/contract/withoutUndefined.ts';
import type { ActivityDelays } from '../src/contract/metrics.ts';
import { type HeartbeatIntervals, limits, WORK_LIMIT_MS } from '../src/contract/task.ts';
import { noTraces, type SpanAttributes, type Traces } from '../src/contract/traces.ts';
import { DomainError } from '../src/errors.ts';
import { countWaits, type FirstWait, type WaitCounter } from '../src/waitCounters.ts';
import { type ActivityAttempt, currentAttempt, type LostAttempt } from './activityAttempt.ts';
import type { TaskRef } from './deps.ts';
import { historyBytes, refuseTooMuch } from './historyLimits.ts';

interface ObservedArgument {
  /** Absent: the activity is the clean-up, which is not part of a task. */
  task?: TaskRef;
  /** The language model that the activity calls. */
  model?: string;
}
type ActivityFunction<A extends ObservedArgument, R> = (
  argument: A,
  signal: AbortSignal,
  attempt: ActivityAttempt,
) => Promise<R>;
type ObservedActivities<T> = {
  [K in keyof T]: T[K] extends ActivityFunction<infer A, infer R>
    ? (argument: A, lostAttempt?: LostAttempt) => Promise<R>
    : never;
};

interface ObserveOptions {
  /** Milliseconds that an activity may work. Waiting does not count. */
  workLimit?: number;
  /** Default: the intervals for the embedded server. */
  heartbeats?: HeartbeatIntervals | undefined;
  /** Aborted when the process stops taking activities. */
  stopping?: AbortSignal | undefined;
  /** Default: no traces. */
  traces?: Traces | undefined;
  /** Called at the end of each attempt, with its waiting times. */
  onAttemptEnd?: ((delays: ActivityDelays) => void) | undefined;
}

/**
 * Waiting activities send fewer heartbeats: there may be many of them, and each heartbeat costs the
 * server.
 */
const WAITING_BEAT_EVERY_MS = 4_000;
/** Practically no delay. 0 would mean the retry policy's delay. */
const AT_ONCE_MS = 1;
/** The longest delay that a remote can ask for before the next attempt. */
const LONGEST_DELAY_MS = 5 * 60_000;

/**
 * Wraps activities: sends heartbeats, limits working time, logs one line for each attempt, and
 * translates errors. If the heartbeats stop, Temporal considers the worker lost and repeats the
 * activity. The wrapped activity gets its argument, a signal and the attempt.
 */
export function observeActivities<T extends Record<string, ActivityFunction<never, unknown>>>(
  log: Logger,
  activities: T,
  options: ObserveOptions = {},
): ObservedActivities<T> {
  const observedEntries = Object.entries(activities).map(([name, runActivity]) => [
    name,
    observeActivity(log, name, runActivity as ActivityFunction<ObservedArgument, unknown>, options),
  ]);
  return Object.fromEntries(observedEntries) as ObservedActivities<T>;
}

function observeActivity<R>(
  log: Logger,
  activity: string,
  runActivity: ActivityFunction<ObservedArgument, R>,
  options: ObserveOptions,
) {
  return (argument: ObservedArgument, lostAttempt?: LostAttempt): Promise<R> => {
    const logSubject = logContext(argument, activity);
    const { traces = noTraces } = options;
    traces.annotate(spanAttributes(argument, activity));
    log.debug(logSubject, 'activity started');
    const onFirst = (state: FirstWait) => log.debug(logSubject, firstWaitMessages[state]);
    return countWaits(async (waits) => {
      const attempt = currentAttempt(waits, lostAttempt);
      const heartbeatEvery = heartbeatInterval(argument, options.heartbeats);
      const runningAttempt = startAttempt(activity, { attempt, waits, ...options, heartbeatEvery });
      const inQueue = secondsInQueue();
      const logFields = () => ({ ...logSubject, ...runningAttempt.times() });
      try {
        const result = await runningAttempt.inTime(
          runActivity(argument, runningAttempt.signal, attempt),
        );
        refuseLargeResult(activity, result);
        log.info(logFields(), 'activity completed');
        return result;
      } catch (error) {
        const isHandedOver = options.stopping?.aborted && error === options.stopping.reason;
        const attemptFailure =
          isHandedOver || isCutOffByShutdown(argument)
            ? handOver(activity, attempt)
            : activityFailure(error, activity, attempt);
        const code =
          attemptFailure instanceof ApplicationFailure
            ? (attemptFailure.type ?? undefined)
            : 'CANCELLED';
        traces.annotate({ 'error.type': code });
        log.warn({ ...logFields(), code, ...unexpectedError(error) }, 'activity failed');
        throw attemptFailure;
      } finally {
        runningAttempt.end();
        options.onAttemptEnd?.({
          queue: activityInfo().taskQueue,
          inQueue,
          inSlot: waits.total() / 1_000,
        });
      }
    }, onFirst);
  };
}

/** Temporal accepts at most 2 MiB. It would retry an activity with a larger result forever. */
function refuseLargeResult(activity: string, result: unknown) {
  const bytes = historyBytes(result);
  const problem = `The result of the activity ${activity} has ${bytes} bytes`;
  refuseTooMuch(bytes, limits.resultBytes, problem, 'are allowed: change fewer pages in one task');
}

/** By these lines, operators see whether an activity had worked or only waited before a kill. */
const firstWaitMessages = {
  waits: 'activity is waiting',
  begun: 'activity has started its work',
} as const;

/**
 * Milliseconds between heartbeats: a third of the heartbeat timeout at most. The SDK may send
 * fewer: one every 0.8 of the timeout, or every interval of the worker's options if this is longer.
 * The latter happens for a task that was created for another server.
 */
function heartbeatInterval(
  { model }: ObservedArgument,
  heartbeats: HeartbeatIntervals = { steps: 1_000, models: 300 },
): number {
  const { heartbeatTimeoutMs = Infinity } = activityInfo();
  return Math.min(heartbeats[model === undefined ? 'steps' : 'models'], heartbeatTimeoutMs / 3);
}

const logContext = ({ task }: ObservedArgument, activity: string) => ({
  taskId: task?.taskId,
  organizationId: task?.organizationId,
  requestId: task?.requestId,
  activity,
  attempt: activityInfo().attempt,
});

const spanAttributes = ({ task }: ObservedArgument, activity: string): SpanAttributes => ({
  'task.id': task?.taskId,
  'organization.id': task?.organizationId,
  'site.id': task?.siteId,
  'activity.type': activity,
  'activity.attempt': activityInfo().attempt,
});

/** Starts the clock and the heartbeats of one attempt. */
function startAttempt(
  activity: string,
  {
    attempt,
    waits,
    workLimit = WORK_LIMIT_MS,
    heartbeatEvery,
  }: ObserveOptions & { attempt: ActivityAttempt; waits: WaitCounter; heartbeatEvery: number },
) {
  const startedAt = performance.now();
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const lateController = new AbortController();
  const sendHeartbeat = createHeartbeat(
    attempt,
    waits,
    Math.ceil(WAITING_BEAT_EVERY_MS / heartbeatEvery),
  );
  const timer = setInterval(() => {
    sendHeartbeat();
    if (performance.now() - startedAt - waits.total() <= workLimit) return;
    lateController.abort(tookTooLong(activity, workLimit));
    reject(lateController.signal.reason as Error);
  }, heartbeatEvery);
  return {
    signal: AbortSignal.any([cancellationSignal(), lateController.signal]),
    /** Rejects at the limit even if the work ignores the signal, as a query without answer does. */
    inTime: <T>(work: Promise<T>) => Promise.race([work, tooLate]),
    times: () => {
      const waitedMs = Math.round(waits.total());
      return { ms: Math.round(performance.now() - startedAt), ...(waitedMs > 0 && { waitedMs }) };
    },
    end: () => clearInterval(timer),
  };
}

/** Seconds since this attempt was due. Never negative, although the server's clock may be ahead. */
const secondsInQueue = () =>
  Math.max(0, Date.now() - activityInfo().currentAttemptScheduledTimestampMs) / 1_000;

/**
 * Returns a function that sends a heartbeat at each call. While the activity waits, it sends one
 * only at every `whileWaiting`th call.
 */
function createHeartbeat(attempt: ActivityAttempt, waits: WaitCounter, whileWaiting: number) {
  let waitsFor: string | undefined;
  let skippedBeats = 0;
  return () => {
    const isChanged = waits.current() !== waitsFor;
    waitsFor = waits.current();
    if (waitsFor !== undefined && !isChanged && ++skippedBeats < whileWaiting) return;
    skippedBeats = 0;
    attempt.beat(waitsFor);
  };
}

const tookTooLong = (activity: string, limit: number) =>
  new DomainError('TOOK_TOO_LONG', `The activity ${activity} took longer than ${limit / 1_000} s`, {
    retryable: true,
  });

/**
 * Translates our errors into Temporal's. The text of an unexpected error stays
 * out of the history, since it may contain secrets. The failure carries the attempt's heartbeat
 * details, since after the last attempt the workflow finds them only there.
 */
function activityFailure(error: unknown, activity: string, attempt: ActivityAttempt): Error {
  const attemptDetails = attempt.details();
  if (cancellationSignal().aborted) return interruption(activity, attemptDetails);
  if (error instanceof DomainError) {
    const { message, code: type, retryable, retryAfter, details } = error;
    const nextRetryDelay = retryAfter === undefined ? undefined : delayFor(retryAfter);
    return applicationFailure(
      { message, type, nonRetryable: !retryable, ...withoutUndefined({ nextRetryDelay }) },
      details || attemptDetails ? { ...details, ...attemptDetails } : undefined,
    );
  }
  return applicationFailure(
    { message: `Unexpected error in ${activity}`, type: 'UNEXPECTED' },
    attemptDetails,
  );
}

/**
 * Milliseconds until the next attempt, if a remote asks for a delay. Never less than the activity's
 * retry policy has: otherwise a remote that always asks for one second would use up all attempts.
 */
function delayFor(retryAfter: number): number {
  const { attempt, retryPolicy } = activityInfo();
  // a running activity gets the intervals of its retry policy in milliseconds
  const firstDelay = Number(retryPolicy?.initialInterval ?? 0);
  const longestDelay = Math.min(
    Number(retryPolicy?.maximumInterval ?? LONGEST_DELAY_MS),
    LONGEST_DELAY_MS,
  );
  const backoff = Math.min(
    firstDelay * (retryPolicy?.backoffCoefficient ?? 2) ** (attempt - 1),
    longestDelay,
  );
  return Math.min(Math.max(retryAfter, backoff), LONGEST_DELAY_MS);
}

/** Whether the worker's grace period ended while the activity was calling a language model. */
const isCutOffByShutdown = ({ model }: ObservedArgument) =>
  model !== undefined && cancellationDetails()?.workerShutdown === true;

/**
 * Lets another process repeat the activity immediately. The activity did not fail by itself, so the
 * work of this attempt does not count.
 */
function handOver(activity: string, attempt: ActivityAttempt): Error {
  attempt.forgetWork();
  attempt.beat();
  return applicationFailure(
    { message: interruptedMessage(activity), type: 'WorkerShutdown', nextRetryDelay: AT_ONCE_MS },
    attempt.details(),
  );
}

export const interruptedMessage = (activity: string) => `${activity} was interrupted by a shutdown`;

/**
 * The error with which a worker that shuts down asks for another attempt. The SDK would ask too,
 * but without the heartbeat details.
 */
function interruption(activity: string, details?: object): Error {
  if (details && cancellationDetails()?.workerShutdown)
    return applicationFailure(
      { message: interruptedMessage(activity), type: 'WorkerShutdown' },
      details,
    );
  return new CancelledFailure(`${activity} was cancelled`);
}

const applicationFailure = (
  options: { message: string; type: string; nonRetryable?: boolean; nextRetryDelay?: number },
  details?: object,
) =>
  ApplicationFailure.create({ ...options, ...withoutUndefined({ details: details && [details] }) });

function unexpectedError(error: unknown) {
  return error instanceof DomainError || cancellationSignal().aborted ? {} : { err: error };
}
