import {
  ActivityFailure,
  type ActivityOptions,
  TimeoutFailure,
  workflowInfo,
} from '@temporalio/workflow';
import type { Lost } from '../activities/attempt.ts';
import { homeQueue, type TaskInput } from '../src/contract/task.ts';
import { heartbeatOf } from './activities.ts';
import { HOME_BEGINS_WITHIN } from './policies.ts';

/** An activity, as it is proxied. */
interface Step<A, R> {
  executeWithOptions(options: ActivityOptions, args: [argument: A, lost?: Lost]): Promise<R>;
}

/**
 * Runs a step at the task's home: the worker that should have its site already. Where that does not
 * begin with it soon, or has the code of another version, any worker runs it, and the later steps.
 * It learns of attempts at home.
 */
export async function atHome<A, R>(
  task: TaskInput,
  step: Step<A, R>,
  title: ActivityOptions,
  args: [argument: A],
): Promise<R> {
  const options = { ...title, ...heartbeatOf(task) };
  const { home } = task;
  if (home === undefined) return step.executeWithOptions(options, args);
  const { currentDeploymentVersion: version } = workflowInfo();
  const taskQueue = homeQueue(home, version?.buildId);
  const { least, jitter } = HOME_BEGINS_WITHIN;
  const there = {
    ...options,
    taskQueue,
    scheduleToStartTimeout: Math.round(least + Math.random() * jitter),
  };
  try {
    return await step.executeWithOptions(there, args);
  } catch (error) {
    const timeout = beginTimeoutIn(error);
    if (!timeout) throw error;
    delete task.home;
    return step.executeWithOptions(options, [...args, ...lostBefore(timeout)]);
  }
}

/**
 * Runs a step of the task's agent. Those of language models have one queue, which limits how many
 * calls are made.
 */
export const byAgent = <A, R>(
  task: TaskInput,
  step: Step<A, R>,
  title: ActivityOptions,
  args: [argument: A],
): Promise<R> =>
  task.model === undefined
    ? atHome(task, step, title, args)
    : step.executeWithOptions({ ...title, ...heartbeatOf(task, 'models') }, args);

function beginTimeoutIn(error: unknown): TimeoutFailure | undefined {
  const cause = error instanceof ActivityFailure ? error.cause : undefined;
  return cause instanceof TimeoutFailure && cause.timeoutType === 'SCHEDULE_TO_START'
    ? cause
    : undefined;
}

/**
 * The last attempt, if one began: how it ended is the timeout's cause, which the SDK leaves in
 * Temporal's failure.
 */
const lostBefore = ({ failure, lastHeartbeatDetails: details }: TimeoutFailure): [] | [Lost] =>
  failure?.cause ? [{ details }] : [];
