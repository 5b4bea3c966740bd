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
import { type Heartbeats, limits, WORK_LIMIT_MS } from '../src/contract/task.ts';
import { DomainError } from '../src/errors.ts';
import { countWaits, type FirstWait, type Waits } from '../src/waiting.ts';
import { type Attempt, currentAttempt, type LostAttempt } from './attempt.ts';
import type { TaskRef } from './deps.ts';
import { bytesOf, refuseTooMuch } from './refuseTooMuch.ts';

interface Argument {
  /** Absent: the step is housekeeping, not part of a task. */
  task?: TaskRef;
  /** The language model that the step calls. */
  model?: string;
}
type Activity<A extends Argument, R> = (
  argument: A,
  signal: AbortSignal,
  attempt: Attempt,
) => Promise<R>;
type Observed<T> = {
  [K in keyof T]: T[K] extends Activity<infer A, infer R>
    ? (argument: A, lost?: LostAttempt) => Promise<R>
    : never;
};

interface Options {
  /** Milliseconds that a step may work, without waiting. */
  workLimit?: number;
  /** Default: those for the embedded server. */
  heartbeats?: Heartbeats | undefined;
  /** Aborted when the process stops taking steps. */
  stopping?: AbortSignal | undefined;
  /** Called at the end of each attempt, with its waiting times. */
  onStep?: ((delays: StepDelays) => void) | undefined;
}

/**
 * Waiting steps send fewer heartbeats: there may be many such steps, and each heartbeat costs the
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
 * step.
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
  return (argument: Argument, lost?: LostAttempt): Promise<R> => {
    const subject = lineOf(argument, activity);
    log.debug(subject, 'task phase started');
    const onFirst = (state: FirstWait) => log.debug(subject, firstWaits[state]);
    return countWaits(async (waits) => {
      const attempt = currentAttempt(waits, lost);
      const heartbeatEvery = intervalOf(argument, options.heartbeats);
      const step = startStep(activity, { attempt, waits, ...options, heartbeatEvery });
      const inQueue = secondsInQueue();
      const line = () => ({ ...subject, ...step.times() });
      try {
        const result = await step.inTime(run(argument, step.signal, attempt));
        refuseLargeResult(activity, result);
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
    }, onFirst);
  };
}

/** Temporal accepts values of at most 2 MiB. It would retry a step with a larger result forever. */
function refuseLargeResult(activity: string, result: unknown) {
  const bytes = bytesOf(result);
  const found = `The result of a step of the task (${activity}) has ${bytes} bytes`;
  refuseTooMuch(bytes, limits.resultBytes, found, 'are possible: change fewer pages in one task');
}

/** Tells a step that had begun when its worker was killed from one that had only waited. */
const firstWaits = { waits: 'task phase waits', begun: 'task phase begun' } as const;

/**
 * Milliseconds between heartbeats: a third of the heartbeat timeout at most. The SDK may send
 * fewer: one every 0.8 of the timeout, or every interval of the worker's options if this is longer.
 * The latter happens for a task that was created for another server.
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

/** Starts the clock and the heartbeats of one attempt. */
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
    /** Does not wait longer for work that ignores the signal, such as a query without an answer. */
    inTime: <T>(work: Promise<T>) => Promise.race([work, tooLate]),
    times: () => {
      const waitedMs = Math.round(waits.total());
      return { ms: Math.round(performance.now() - began), ...(waitedMs > 0 && { waitedMs }) };
    },
    end: () => clearInterval(timer),
  };
}

/** Seconds since this attempt was due. Never negative, although the server's clock may be ahead. */
const secondsInQueue = () =>
  Math.max(0, Date.now() - activityInfo().currentAttemptScheduledTimestampMs) / 1_000;

/**
 * Returns a function that sends a heartbeat at each call. While the step waits, it sends one only
 * at every `whileWaiting`th call.
 */
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
 * Translates our errors into Temporal's; nothing else does. The text of an unexpected error stays
 * out of the history, since it may contain secrets. The failure carries the attempt's heartbeat
 * details, since after the last attempt the workflow finds them only there.
 */
function failureOf(error: unknown, activity: string, attempt: Attempt): Error {
  const own = attempt.details();
  if (cancellationSignal().aborted) return interruption(activity, own);
  if (error instanceof DomainError) {
    const { message, code: type, retryable, retryAfter, details } = error;
    const nextRetryDelay = retryAfter === undefined ? undefined : delayFor(retryAfter);
    return failure(
      { message, type, nonRetryable: !retryable, ...defined({ nextRetryDelay }) },
      details || own ? { ...details, ...own } : undefined,
    );
  }
  return failure({ message: `Unexpected error in ${activity}`, type: 'UNEXPECTED' }, own);
}

/**
 * Milliseconds until the next attempt, if a remote asks for a delay. Never less than the step's
 * retry policy: otherwise a remote that always asks for one second would soon use up all attempts.
 */
function delayFor(retryAfter: number): number {
  const { attempt, retryPolicy } = activityInfo();
  // a running activity gets the intervals of its retry policy in milliseconds
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

/** Whether the worker's grace period ended while the step was calling a language model. */
const isCutOff = ({ model }: Argument) =>
  model !== undefined && cancellationDetails()?.workerShutdown === true;

/**
 * Lets another process repeat the step immediately. The step did not fail by itself, so the work of
 * this attempt does not count.
 */
function handOver(activity: string, attempt: Attempt): Error {
  attempt.forgetWork();
  attempt.beat();
  return failure(
    { message: interrupted(activity), type: 'WorkerShutdown', nextRetryDelay: AT_ONCE_MS },
    attempt.details(),
  );
}

const interrupted = (activity: string) => `${activity} was interrupted by a shutdown`;

/**
 * The error with which a worker that shuts down asks for another attempt. The SDK would ask too,
 * but without the heartbeat details.
 */
function interruption(activity: string, details?: object): Error {
  if (details && cancellationDetails()?.workerShutdown)
    return failure({ message: interrupted(activity), type: 'WorkerShutdown' }, details);
  return new CancelledFailure(`${activity} was cancelled`);
}

const failure = (
  options: { message: string; type: string; nonRetryable?: boolean; nextRetryDelay?: number },
  details?: object,
) => ApplicationFailure.create({ ...options, ...defined({ details: details && [details] }) });

function unexpected(error: unknown) {
  return error instanceof DomainError || cancellationSignal().aborted ? {} : { err: error };
}
