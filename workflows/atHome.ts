import { ActivityFailure, type ActivityOptions, TimeoutFailure, workflowInfo } from '@temporalio/workflow';
import { homeQueue, type TaskInput } from '../src/contract/task.ts';
import { heartbeatOf } from './activities.ts';
import { HOME_BEGINS_WITHIN } from './policies.ts';

/** An activity, as it is proxied. */
interface Step<A extends unknown[], R> {
  executeWithOptions(options: ActivityOptions, args: A): Promise<R>;
}

/**
 * Runs a step at the task's home: the worker that should have its site already. Where that does not begin with it soon,
 * or has the code of another version, any worker runs it, and the later steps.
 */
export async function atHome<A extends unknown[], R>(
  task: TaskInput,
  step: Step<A, R>,
  title: ActivityOptions,
  args: A,
): Promise<R> {
  const options = { ...title, ...heartbeatOf(task) };
  const { home } = task;
  if (home === undefined) return step.executeWithOptions(options, args);
  const { currentDeploymentVersion: version } = workflowInfo();
  const taskQueue = homeQueue(home, version?.buildId);
  const there = { ...options, taskQueue, scheduleToStartTimeout: HOME_BEGINS_WITHIN };
  try {
    return await step.executeWithOptions(there, args);
  } catch (error) {
    if (!hasNotBegun(error)) throw error;
    delete task.home;
    return step.executeWithOptions(options, args);
  }
}

/** Runs a step of the task's agent. Those of language models have one queue, which limits how many calls are made. */
export const byAgent = <A extends unknown[], R>(
  task: TaskInput,
  step: Step<A, R>,
  title: ActivityOptions,
  args: A,
): Promise<R> =>
  task.model === undefined
    ? atHome(task, step, title, args)
    : step.executeWithOptions({ ...title, ...heartbeatOf(task, 'models') }, args);

const hasNotBegun = (error: unknown) =>
  error instanceof ActivityFailure &&
  error.cause instanceof TimeoutFailure &&
  error.cause.timeoutType === 'SCHEDULE_TO_START';
