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

/** The fields of a task that decide where its activities run. */
type TaskAffinity = Pick<TaskInput, 'preferredWorker' | 'heartbeats'>;

/** A proxied activity. */
interface ProxiedActivity<A, R> {
  executeWithOptions(options: ActivityOptions, args: [argument: A, lost?: LostAttempt]): Promise<R>;
}

/** Milliseconds for which a task avoids a preferred worker that was too slow to begin. */
const AVOIDED_MS = 5 * 60_000;
/** Until when a task avoids its preferred worker, in milliseconds since 1970. */
const avoidedUntil = new WeakMap<TaskAffinity, number>();

/**
 * Runs an activity on the task's preferred worker: the one that should have the clone of its site.
 * If that worker does not begin within about 10 seconds, or runs another version of the code, any
 * worker runs this activity, and those of the next five minutes. If an attempt began on the
 * preferred worker and was lost, the activity gets its last heartbeat.
 * @param title one line for the Temporal UI
 */
export async function runOnPreferredWorker<A, R>(
  task: TaskAffinity,
  activity: ProxiedActivity<A, R>,
  title: string,
  argument: A,
): Promise<R> {
  const options = { ...workSummaryOptions(title), ...heartbeatOptions(task) };
  const { preferredWorker } = task;
  if (preferredWorker === undefined || Date.now() < (avoidedUntil.get(task) ?? 0))
    return activity.executeWithOptions(options, [argument]);
  const { currentDeploymentVersion: version } = workflowInfo();
  const taskQueue = workerQueue(preferredWorker, version?.buildId);
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

/** Runs an activity of the agent: the rules on the preferred worker, a language model on any. */
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

/** The lost attempt on the preferred worker, if one began: then Temporal's failure has a cause. */
const lostAttemptArguments = ({
  failure,
  lastHeartbeatDetails: details,
}: TimeoutFailure): [] | [LostAttempt] => (failure?.cause ? [{ details }] : []);
