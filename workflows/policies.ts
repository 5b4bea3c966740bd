import type { Duration } from '@temporalio/common';
import { ActivityCancellationType, type ActivityOptions } from '@temporalio/workflow';
import { activityQueues } from '../src/contract/task.ts';

/**
 * Milliseconds without a heartbeat after which an activity's worker counts as dead: three missed
 * heartbeats, but at least 10 seconds, since a busy machine may send them late.
 * @param heartbeatEvery the interval of heartbeats in milliseconds
 */
export const heartbeatTimeoutMs = (heartbeatEvery = 0) => Math.max(3 * heartbeatEvery, 10_000);

/** Pauses between attempts double from the first to the longest. */
interface RetryBackoff {
  first: Duration;
  longest: Duration;
  attempts: number;
}

const retryPolicy = ({ first, longest, attempts }: RetryBackoff) => ({
  initialInterval: first,
  backoffCoefficient: 2,
  maximumInterval: longest,
  maximumAttempts: attempts,
});

/**
 * What activities on sites have in common. An activity may wait for its site's lock for 24 hours,
 * as long as a task's work may take. It ends itself when it has worked for too long.
 *
 * There are no schedule-to-close timeouts: they would continue while every worker is down, and fail
 * the running tasks. The number of attempts limits each activity.
 */
const siteActivity = {
  taskQueue: activityQueues.sites,
  startToCloseTimeout: '24 hours',
  heartbeatTimeout: heartbeatTimeoutMs(),
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
} satisfies ActivityOptions;

/** Reads and git pushes. A remote that is down is tried for five minutes. */
export const git = {
  ...siteActivity,
  retry: retryPolicy({ first: '1 second', longest: '30 seconds', attempts: 15 }),
} satisfies ActivityOptions;

/** The clean-up, with less priority than activities of tasks. The next run repeats what failed. */
export const pruneSites = {
  ...siteActivity,
  startToCloseTimeout: '1 hour',
  heartbeatTimeout: '45 seconds',
  retry: retryPolicy({ first: '10 seconds', longest: '1 minute', attempts: 6 }),
  priority: { priorityKey: 5 },
} satisfies ActivityOptions;

/** An activity of the rules. It changes no repository, so a cancel does not wait for its end. */
export const rules = {
  ...siteActivity,
  taskQueue: activityQueues.rules,
  cancellationType: ActivityCancellationType.TRY_CANCEL,
  retry: retryPolicy({ first: '1 second', longest: '30 seconds', attempts: 6 }),
} satisfies ActivityOptions;

/** One call of a language model. A provider that is busy or down is tried for seven minutes. */
export const languageModel = {
  ...rules,
  taskQueue: activityQueues.languageModels,
  retry: retryPolicy({ first: '2 seconds', longest: '1 minute', attempts: 12 }),
} satisfies ActivityOptions;

/**
 * A deployment. A host may be busy, and a forge such as GitHub may limit requests for an hour. Then
 * the attempts are five minutes apart.
 */
export const deployment = {
  ...siteActivity,
  retry: retryPolicy({ first: '1 second', longest: '15 seconds', attempts: 15 }),
} satisfies ActivityOptions;

/**
 * One check whether an external host shows the new pages. Between two checks, no worker slot is
 * occupied. The activity ends by itself when the site's build time is over, so the number of
 * attempts has no limit.
 */
export const deploymentCheck = {
  ...siteActivity,
  taskQueue: activityQueues.deploymentChecks,
  startToCloseTimeout: '2 minutes',
  cancellationType: ActivityCancellationType.TRY_CANCEL,
  retry: { initialInterval: '2 seconds', backoffCoefficient: 1.4, maximumInterval: '30 seconds' },
} satisfies ActivityOptions;

/** Waits for a permit, as long as it takes. Between two attempts, no worker slot is occupied. */
export const permit = {
  ...siteActivity,
  startToCloseTimeout: '1 minute',
  cancellationType: ActivityCancellationType.TRY_CANCEL,
  retry: { initialInterval: '1 second', backoffCoefficient: 1.3, maximumInterval: '5 seconds' },
} satisfies ActivityOptions;

/** Database writes that a task can do without. They are given up after about half a minute. */
export const releasing = {
  ...siteActivity,
  startToCloseTimeout: '1 minute',
  retry: retryPolicy({ first: '1 second', longest: '10 seconds', attempts: 6 }),
} satisfies ActivityOptions;

/**
 * The delivery of a callback (docs/contract.md, section 7.3): up to 3 retries, after 5, 10
 * and 20 seconds. An attempt ends itself after 15 seconds. The hour leaves time to wait for a
 * database that is down.
 */
export const callback = {
  ...siteActivity,
  taskQueue: activityQueues.callbacks,
  startToCloseTimeout: '1 hour',
  retry: { initialInterval: '5 seconds', backoffCoefficient: 2, maximumAttempts: 4 },
} satisfies ActivityOptions;

/**
 * One attempt to deliver an event, and what belongs to it. A receiver that fails does not fail the
 * activity, so Temporal only repeats what a killed worker or the database interrupted.
 */
export const event = {
  ...callback,
  retry: retryPolicy({ first: '1 second', longest: '1 minute', attempts: 30 }),
} satisfies ActivityOptions;
/** The pauses after failed attempts to deliver an event: the eighth attempt is the last one. */
export const EVENT_RETRY_PAUSES = [
  '5 seconds',
  '5 minutes',
  '30 minutes',
  '2 hours',
  '5 hours',
  '10 hours',
  '10 hours',
] as const;

/** Milliseconds that an activity waits for its preferred worker, before any worker may run it. */
export const PREFERRED_WORKER_BEGINS_WITHIN = { least: 10_000, jitter: 5_000 };
/** Milliseconds that a publish task waits for people to merge its pull request. */
export const MERGE_WAIT_MS = 7 * 24 * 60 * 60_000;
/** Milliseconds that a question waits for an answer. */
export const ANSWER_WAIT_MS = 7 * 24 * 60 * 60_000;
/**
 * Milliseconds of wall time that a task's work may take before publishing, downtime included. Time
 * that it waits for people does not count.
 */
export const TASK_WORK_LIMIT_MS = 24 * 60 * 60_000;
/** Turns of a prompt task without a budget. */
export const TURN_LIMIT = 60;
