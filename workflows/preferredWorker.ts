import {
  ActivityFailure,
  type ActivityOptions,
  TimeoutFailure,
  workflowInfo,
} from '@temporalio/workflow';
import type { LostAttempt } from '../activities/activityAttempt.ts';
import { workerQueue, type TaskInput } from '../src/contract/task.ts';
import { heartbeatOptions, workSummaryOptions } from './activityProxies.ts';
import { PREFERRED_WORKER_BEGINS_WITHIN } from './policies.ts';

/** What decides where steps run. */
type TaskAffinity = Pick<TaskInput, 'home' | 'heartbeats'>;

/** A proxied activity. */
interface ProxiedActivity<A, R> {
  executeWithOptions(options: ActivityOptions, args: [argument: A, lost?: LostAttempt]): Promise<R>;
}

/** Milliseconds for which steps avoid a home that did not begin one of them in time. */
const AVOIDED_MS = 5 * 60_000;
/** Until when the steps of a task avoid its home, in milliseconds since 1970. */
const avoidedUntil = new WeakMap<TaskAffinity, number>();

/**
 * Runs a step at the task's home: the worker that should have its site already. If that worker does
 * not begin soon, or has the code of another version, any worker runs this step and those of the
 * next minutes. The step is told of a lost attempt at home.
 * @param title one line for the Temporal UI
 */
export async function runOnPreferredWorker<A, R>(
  task: TaskAffinity,
  activity: ProxiedActivity<A, R>,
  title: string,
  argument: A,
): Promise<R> {
  const options = { ...workSummaryOptions(title), ...heartbeatOptions(task) };
  const { home } = task;
  if (home === undefined || Date.now() < (avoidedUntil.get(task) ?? 0))
    return activity.executeWithOptions(options, [argument]);
  const { currentDeploymentVersion: version } = workflowInfo();
  const taskQueue = workerQueue(home, version?.buildId);
  const { least, jitter } = PREFERRED_WORKER_BEGINS_WITHIN;
  const preferredOptions = {
    ...options,
    taskQueue,
    scheduleToStartTimeout: Math.round(least + Math.random() * jitter),
  };
  try {
    return await activity.executeWithOptions(preferredOptions, [argument]);
  } catch (error) {
    const timeout = scheduleToStartTimeoutIn(error);
    if (!timeout) throw error;
    avoidedUntil.set(task, Date.now() + AVOIDED_MS);
    return activity.executeWithOptions(options, [argument, ...lostAttemptArguments(timeout)]);
  }
}

/** Runs a step of the task's agent. Language models have one queue, which limits their calls. */
export const runByAgent = <A, R>(
  task: TaskAffinity & Pick<TaskInput, 'model'>,
  activity: ProxiedActivity<A, R>,
  title: string,
  argument: A,
): Promise<R> =>
  task.model === undefined
    ? runOnPreferredWorker(task, activity, title, argument)
    : activity.executeWithOptions(
        { ...workSummaryOptions(title), ...heartbeatOptions(task, 'models') },
        [argument],
      );

function scheduleToStartTimeoutIn(error: unknown): TimeoutFailure | undefined {
  const cause = error instanceof ActivityFailure ? error.cause : undefined;
  return cause instanceof TimeoutFailure && cause.timeoutType === 'SCHEDULE_TO_START'
    ? cause
    : undefined;
}

/** The lost attempt at home, if one began: then Temporal's failure has a cause. */
const lostAttemptArguments = ({
  failure,
  lastHeartbeatDetails: details,
}: TimeoutFailure): [] | [LostAttempt] => (failure?.cause ? [{ details }] : []);
