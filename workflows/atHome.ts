import {
  ActivityFailure,
  type ActivityOptions,
  TimeoutFailure,
  workflowInfo,
} from '@temporalio/workflow';
import type { LostAttempt } from '../activities/attempt.ts';
import { homeQueue, type TaskInput } from '../src/contract/task.ts';
import { heartbeatOf, workSummary } from './activities.ts';
import { HOME_BEGINS_WITHIN } from './policies.ts';

/** What decides where steps run. */
type AtHome = Pick<TaskInput, 'home' | 'heartbeats'>;

/** A proxied activity. */
interface Step<A, R> {
  executeWithOptions(options: ActivityOptions, args: [argument: A, lost?: LostAttempt]): Promise<R>;
}

/** Milliseconds for which steps avoid a home that did not begin one of them in time. */
const AVOIDED_MS = 5 * 60_000;
/** Until when the steps of a task avoid its home, in milliseconds since 1970. */
const avoidedUntil = new WeakMap<AtHome, number>();

/**
 * Runs a step at the task's home: the worker that should have its site already. If that worker does
 * not begin soon, or has the code of another version, any worker runs this step and those of the
 * next minutes. The step is told of a lost attempt at home.
 * @param title one line for the Temporal UI
 */
export async function atHome<A, R>(
  task: AtHome,
  step: Step<A, R>,
  title: string,
  argument: A,
): Promise<R> {
  const options = { ...workSummary(title), ...heartbeatOf(task) };
  const { home } = task;
  if (home === undefined || Date.now() < (avoidedUntil.get(task) ?? 0))
    return step.executeWithOptions(options, [argument]);
  const { currentDeploymentVersion: version } = workflowInfo();
  const taskQueue = homeQueue(home, version?.buildId);
  const { least, jitter } = HOME_BEGINS_WITHIN;
  const there = {
    ...options,
    taskQueue,
    scheduleToStartTimeout: Math.round(least + Math.random() * jitter),
  };
  try {
    return await step.executeWithOptions(there, [argument]);
  } catch (error) {
    const timeout = beginTimeoutIn(error);
    if (!timeout) throw error;
    avoidedUntil.set(task, Date.now() + AVOIDED_MS);
    return step.executeWithOptions(options, [argument, ...lostBefore(timeout)]);
  }
}

/** Runs a step of the task's agent. Language models have one queue, which limits their calls. */
export const byAgent = <A, R>(
  task: AtHome & Pick<TaskInput, 'model'>,
  step: Step<A, R>,
  title: string,
  argument: A,
): Promise<R> =>
  task.model === undefined
    ? atHome(task, step, title, argument)
    : step.executeWithOptions({ ...workSummary(title), ...heartbeatOf(task, 'models') }, [
        argument,
      ]);

function beginTimeoutIn(error: unknown): TimeoutFailure | undefined {
  const cause = error instanceof ActivityFailure ? error.cause : undefined;
  return cause instanceof TimeoutFailure && cause.timeoutType === 'SCHEDULE_TO_START'
    ? cause
    : undefined;
}

/** The lost attempt at home, if one began: then Temporal's failure has a cause. */
const lostBefore = ({
  failure,
  lastHeartbeatDetails: details,
}: TimeoutFailure): [] | [LostAttempt] => (failure?.cause ? [{ details }] : []);
