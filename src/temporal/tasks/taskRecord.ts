import type { WorkflowExecutionDescription, WorkflowExecutionInfo } from '@temporalio/client';
import type { CallbackDelivery } from '../../contract/callback.ts';
import { withoutUndefined } from '../../contract/withoutUndefined.ts';
import type { Creator } from '../../contract/creator.ts';
import type { PartialOutcome } from '../../contract/outcome.ts';
import {
  type TaskOutcome,
  TASK_WORKFLOW,
  type TaskEvent,
  type TaskType,
} from '../../contract/task.ts';
import { DomainError, hasErrorCode } from '../../errors.ts';
import { describeRun } from './describeListed.ts';
import type { TemporalCalls } from './temporalCalls.ts';
import { readDelivery } from './deliveryState.ts';
import type { LatestCallbackState, TaskRecord } from './taskService.ts';
import { attributeKeys } from '../../contract/searchAttributes.ts';

const DESCRIBE_WITHIN_MS = 4_000;

/** A task's record as its memo has it, with fields that only this folder uses. */
interface WorkflowRecord extends Omit<TaskRecord, 'finished'> {
  /** The decided outcome, or a part of it. A part comes without the events. */
  finished?: TaskOutcome | PartialOutcome;
  callbackUrl?: string;
  /** All events of a finished task. */
  events: TaskEvent[];
  /** Whether its workflow is closed. A finished task's workflow may still deliver its callback. */
  isClosed: boolean;
}

export interface DescribedTask extends WorkflowRecord {
  /** The state of the callback's first delivery, if the task has a callback. */
  callback?: CallbackDelivery;
}

/** A task with its whole outcome. */
export type WholeTask = DescribedTask & Pick<TaskRecord, 'finished'>;

export const taskNotFound = () => new DomainError('NOT_FOUND', 'Task not found');

/** The error of a call to Temporal, unless it answered what this process can't decrypt. */
export const taskUnavailable = (cause: unknown) =>
  hasErrorCode(cause, 'CONFIGURATION')
    ? cause
    : new DomainError(
        'UNAVAILABLE',
        'The task could not be read, because Temporal did not answer',
        {
          retryable: true,
          reason: 'Temporal did not answer',
          cause,
        },
      );

/**
 * Reads a task by Temporal's `describe`: up to date, and without a worker.
 * @throws DomainError NOT_FOUND, UNAVAILABLE
 */
export async function describeTask(calls: TemporalCalls, taskId: string): Promise<DescribedTask> {
  const description = await describeWorkflow(calls, taskId);
  if (description?.type !== TASK_WORKFLOW) throw taskNotFound();
  const record = taskRecordOf(taskId, description);
  return {
    ...record,
    ...(record.hasCallback && { callback: await readDelivery(calls.client, description) }),
  };
}

/** Describes a workflow. @returns null if there is no such workflow */
export async function describeWorkflow(
  calls: TemporalCalls,
  workflowId: string,
): Promise<WorkflowExecutionDescription | null> {
  try {
    return await calls.within(DESCRIBE_WITHIN_MS, () => describeRun(calls.client, workflowId));
  } catch (cause) {
    throw taskUnavailable(cause);
  }
}

type WorkflowState = Pick<
  WorkflowExecutionInfo,
  'memo' | 'status' | 'closeTime' | 'typedSearchAttributes'
>;

/** The fields that `taskStartOptions` and the workflow store in a task's memo. */
interface TaskMemo {
  createdAt: string;
  title: string;
  callbackUrl?: string;
  baseTaskId?: string;
  publishes?: string;
  follows?: string;
  template?: string;
  restores?: string;
  /** While the task waits for people. */
  releasedPermit?: true | null;
  /** The id of the question that the task asks. */
  asks?: string | null;
  finished?: TaskOutcome | PartialOutcome;
  events?: TaskEvent[];
}

type KeywordName = 'organizationId' | 'siteId' | 'taskType' | 'createdBy';

/** Converts a described or listed workflow to the record of its task. */
export function taskRecordOf(
  taskId: string,
  { memo = {}, status, closeTime, typedSearchAttributes }: WorkflowState,
): WorkflowRecord {
  const attribute = (key: (typeof attributeKeys)[KeywordName]) =>
    typedSearchAttributes.get(key) ?? '';
  const storedMemo = memo as Partial<TaskMemo>;
  const { callbackUrl, baseTaskId, template, restores, events = [] } = storedMemo;
  const isClosed = status.name !== 'RUNNING';
  const finished =
    storedMemo.finished ?? (isClosed ? endWithoutResult(status.name, closeTime) : undefined);
  const callbackState = callbackStateIn({ status, typedSearchAttributes });
  const follows = storedMemo.follows ?? baseTaskId ?? storedMemo.publishes;
  return {
    taskId,
    organizationId: attribute(attributeKeys.organizationId),
    siteId: attribute(attributeKeys.siteId),
    type: attribute(attributeKeys.taskType) as TaskType,
    status: finished?.status ?? 'running',
    publish: typedSearchAttributes.get(attributeKeys.publish) === true,
    createdAt: String(storedMemo.createdAt),
    hasCallback: callbackUrl !== undefined,
    ...(!finished && storedMemo.releasedPermit && { releasedPermit: true as const }),
    ...(!finished && typeof storedMemo.asks === 'string' && { asks: true as const }),
    title: String(storedMemo.title),
    createdBy: creatorFrom(attribute(attributeKeys.createdBy)),
    ...withoutUndefined({
      callbackUrl,
      baseTaskId,
      finished,
      callbackState,
      follows,
      template,
      restores,
    }),
    events,
    isClosed,
  };
}

function creatorFrom(attribute: string): Creator {
  const [kind, id] = attribute.split(':', 2) as [string, string];
  return kind === 'user' ? { userId: id } : { keyId: id };
}

/**
 * The state of the callback that a workflow delivers. If the workflow closed before the delivery
 * ended, the delivery has failed.
 */
export function callbackStateIn({
  status,
  typedSearchAttributes,
}: Pick<WorkflowState, 'status' | 'typedSearchAttributes'>): LatestCallbackState | undefined {
  const callbackStatus = typedSearchAttributes.get(attributeKeys.callbackStatus);
  if (callbackStatus === 'delivered') return 'accepted';
  if (callbackStatus === 'pending') return status.name === 'RUNNING' ? 'pending' : 'failed';
  return callbackStatus === 'failed' ? 'failed' : undefined;
}

/** The outcome of a task whose workflow was closed from outside before it decided one. */
function endWithoutResult(closeStatus: string, closeTime = new Date(0)): TaskOutcome {
  const errorMessage =
    closeStatus === 'TERMINATED'
      ? 'An operator terminated the task. Create it again'
      : 'The task ended without a result. Create it again';
  return { status: 'failed', errorMessage, finishedAt: closeTime.toISOString() };
}
