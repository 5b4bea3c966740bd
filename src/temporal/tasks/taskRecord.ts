import type { WorkflowExecutionDescription, WorkflowExecutionInfo } from '@temporalio/client';
import type { CallbackDelivery } from '../../contract/callback.ts';
import { defined } from '../../contract/defined.ts';
import type { Maker } from '../../contract/maker.ts';
import type { PartOfEnd } from '../../contract/ended.ts';
import {
  type FinishedView,
  TASK_WORKFLOW,
  type TaskEvent,
  type TaskType,
} from '../../contract/task.ts';
import { DomainError, hasCode } from '../../errors.ts';
import { describeRun } from './describeListed.ts';
import type { Calls } from './calls.ts';
import { deliveryOf } from './deliveryState.ts';
import type { CallbackState, TaskRecord } from './tasks.ts';
import { attributeKeys } from '../../contract/searchAttributes.ts';

const DESCRIBE_WITHIN_MS = 4_000;

/** A task's record as its memo has it, with fields that only this folder uses. */
interface WorkflowRecord extends Omit<TaskRecord, 'finished'> {
  /** The decided end, or a part of it. A part comes without the events. */
  finished?: FinishedView | PartOfEnd;
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

/** A task with its whole end. */
export type WholeTask = DescribedTask & Pick<TaskRecord, 'finished'>;

export const notFound = () => new DomainError('NOT_FOUND', 'Task not found');

/** The error of a call to Temporal, unless it answered what this process can't decrypt. */
export const unavailable = (cause: unknown) =>
  hasCode(cause, 'CONFIGURATION')
    ? cause
    : new DomainError('UNAVAILABLE', 'The task could not be read: Temporal does not answer', {
        retryable: true,
        reason: 'Temporal does not answer',
        cause,
      });

/**
 * Reads a task by Temporal's `describe`: up to date, and without a worker.
 * @throws DomainError NOT_FOUND, UNAVAILABLE
 */
export async function describeTask(calls: Calls, taskId: string): Promise<DescribedTask> {
  const description = await describeWorkflow(calls, taskId);
  if (description?.type !== TASK_WORKFLOW) throw notFound();
  const record = recordOf(taskId, description);
  return {
    ...record,
    ...(record.hasCallback && { callback: await deliveryOf(calls.client, description) }),
  };
}

/** Describes a workflow. @returns null if there is no such workflow */
export async function describeWorkflow(
  calls: Calls,
  workflowId: string,
): Promise<WorkflowExecutionDescription | null> {
  try {
    return await calls.within(DESCRIBE_WITHIN_MS, () => describeRun(calls.client, workflowId));
  } catch (cause) {
    throw unavailable(cause);
  }
}

type WorkflowState = Pick<
  WorkflowExecutionInfo,
  'memo' | 'status' | 'closeTime' | 'typedSearchAttributes'
>;

/** The fields that `startOptions` and the workflow store in a task's memo. */
interface Memo {
  createdAt: string;
  title: string;
  callbackUrl?: string;
  onto?: string;
  publishes?: string;
  follows?: string;
  template?: string;
  restores?: string;
  /** While the task waits for people. */
  leftPlace?: true | null;
  /** The id of the question that the task asks. */
  asks?: string | null;
  finished?: FinishedView | PartOfEnd;
  events?: TaskEvent[];
}

type KeywordName = 'organizationId' | 'siteId' | 'taskType' | 'createdBy';

/** Converts a described or listed workflow to the record of its task. */
export function recordOf(
  taskId: string,
  { memo = {}, status, closeTime, typedSearchAttributes }: WorkflowState,
): WorkflowRecord {
  const attribute = (key: (typeof attributeKeys)[KeywordName]) =>
    typedSearchAttributes.get(key) ?? '';
  const kept = memo as Partial<Memo>;
  const { callbackUrl, onto, template, restores, events = [] } = kept;
  const isClosed = status.name !== 'RUNNING';
  const finished = kept.finished ?? (isClosed ? endedWithout(status.name, closeTime) : undefined);
  const callbackState = callbackStateIn({ status, typedSearchAttributes });
  const follows = kept.follows ?? onto ?? kept.publishes;
  return {
    taskId,
    organizationId: attribute(attributeKeys.organizationId),
    siteId: attribute(attributeKeys.siteId),
    type: attribute(attributeKeys.taskType) as TaskType,
    status: finished?.status ?? 'running',
    publish: typedSearchAttributes.get(attributeKeys.publish) === true,
    createdAt: String(kept.createdAt),
    hasCallback: callbackUrl !== undefined,
    ...(!finished && kept.leftPlace && { leftPlace: true as const }),
    ...(!finished && typeof kept.asks === 'string' && { asks: true as const }),
    title: String(kept.title),
    createdBy: makerIn(attribute(attributeKeys.createdBy)),
    ...defined({ callbackUrl, onto, finished, callbackState, follows, template, restores }),
    events,
    isClosed,
  };
}

function makerIn(attribute: string): Maker {
  const [kind, id] = attribute.split(':', 2) as [string, string];
  return kind === 'user' ? { userId: id } : { keyId: id };
}

/**
 * The state of a workflow's delivery. It has failed if the workflow closed before the delivery
 * ended.
 */
export function callbackStateIn({
  status,
  typedSearchAttributes,
}: Pick<WorkflowState, 'status' | 'typedSearchAttributes'>): CallbackState | undefined {
  const told = typedSearchAttributes.get(attributeKeys.callbackStatus);
  if (told === 'delivered') return 'accepted';
  if (told === 'pending') return status.name === 'RUNNING' ? 'pending' : 'failed';
  return told === 'failed' ? 'failed' : undefined;
}

/** The end of a task whose workflow was closed from outside before it decided one. */
function endedWithout(closeStatus: string, closeTime = new Date(0)): FinishedView {
  const errorMessage =
    closeStatus === 'TERMINATED' ? 'Task was terminated' : 'Task ended without a result';
  return { status: 'failed', errorMessage, finishedAt: closeTime.toISOString() };
}
