import { ActivityCancellationType, type ActivityOptions } from '@temporalio/workflow';
import { stepQueues } from '../src/contract/task.ts';

/**
 * Milliseconds without a heartbeat after which a step's worker counts as dead: three heartbeats,
 * and no less than a busy machine may be late.
 */
export const deadAfter = (heartbeatEvery = 0) => Math.max(3 * heartbeatEvery, 10_000);

/**
 * As long as a task's work: a step may wait long for its turn. It ends itself when it works for too
 * long.
 */
const mayWait = '24 hours';

/**
 * No schedule-to-close timeouts: they would run on while every worker is down, and fail the tasks
 * that were in flight. The number of attempts limits each step.
 */

/** Reads and git pushes: tries a remote that is down for five minutes. */
export const git = {
  taskQueue: stepQueues.sites,
  startToCloseTimeout: mayWait,
  heartbeatTimeout: deadAfter(),
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: {
    initialInterval: '1 second',
    backoffCoefficient: 2,
    maximumInterval: '30 seconds',
    maximumAttempts: 15,
  },
} satisfies ActivityOptions;

/** Housekeeping: after all steps of tasks that wait. What it can't do now, the next run does. */
export const cleanUp = {
  taskQueue: stepQueues.sites,
  startToCloseTimeout: '1 hour',
  heartbeatTimeout: '45 seconds',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: {
    initialInterval: '10 seconds',
    backoffCoefficient: 2,
    maximumInterval: '1 minute',
    maximumAttempts: 6,
  },
  priority: { priorityKey: 5 },
} satisfies ActivityOptions;

/**
 * One step of the embedded rules. Given up at once when the task is cancelled: it has no effect.
 */
export const model = {
  taskQueue: stepQueues.models,
  startToCloseTimeout: mayWait,
  heartbeatTimeout: deadAfter(),
  cancellationType: ActivityCancellationType.TRY_CANCEL,
  retry: {
    initialInterval: '1 second',
    backoffCoefficient: 2,
    maximumInterval: '30 seconds',
    maximumAttempts: 6,
  },
} satisfies ActivityOptions;

/**
 * One call of a language model. Goes on trying for seven minutes where its provider is busy or
 * down.
 */
export const languageModel = {
  ...model,
  taskQueue: stepQueues.languageModels,
  retry: {
    initialInterval: '2 seconds',
    backoffCoefficient: 2,
    maximumInterval: '1 minute',
    maximumAttempts: 12,
  },
} satisfies ActivityOptions;

/** A deployment: repeated a few times, since a host may be busy. */
export const deployment = {
  taskQueue: stepQueues.sites,
  startToCloseTimeout: mayWait,
  heartbeatTimeout: deadAfter(),
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: {
    initialInterval: '1 second',
    backoffCoefficient: 2,
    maximumInterval: '15 seconds',
    maximumAttempts: 10,
  },
} satisfies ActivityOptions;

/** Rows of the database that a task can do without: given up after half a minute. */
export const settling = {
  taskQueue: stepQueues.sites,
  startToCloseTimeout: '1 minute',
  heartbeatTimeout: deadAfter(),
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: {
    initialInterval: '1 second',
    backoffCoefficient: 2,
    maximumInterval: '10 seconds',
    maximumAttempts: 6,
  },
} satisfies ActivityOptions;

/**
 * The delivery of a callback (specification, Events, Sending rules 3): up to 3 retries, after 5, 10
 * and 20 seconds. An attempt ends itself after 15 seconds. The hour allows for first waiting for a
 * database that is down.
 */
export const callback = {
  taskQueue: stepQueues.callbacks,
  startToCloseTimeout: '1 hour',
  heartbeatTimeout: deadAfter(),
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: { initialInterval: '5 seconds', backoffCoefficient: 2, maximumAttempts: 4 },
} satisfies ActivityOptions;

/**
 * Milliseconds that a step waits for the worker that has the site, before any worker may run it.
 */
export const HOME_BEGINS_WITHIN = { least: 10_000, jitter: 5_000 };
/** Wall time that a task's work may take before publishing, downtime included. */
export const WORK_LIMIT = '24 hours';
/** Turns of a prompt task without a budget. */
export const TURN_LIMIT = 60;
