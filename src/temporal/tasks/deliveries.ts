import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { withoutUndefined } from '../../contract/withoutUndefined.ts';
import type { Creator } from '../../contract/creator.ts';
import { REDELIVER_WORKFLOW, TASK_QUEUE, TASK_RUNNING } from '../../contract/task.ts';
import { DomainError } from '../../errors.ts';
import type { TemporalCalls } from './temporalCalls.ts';
import { readDelivery } from './deliveryState.ts';
import type { TaskStartOptions } from './startTask.ts';
import type { TaskDeliveries, TaskDelivery } from './taskService.ts';
import { redeliveryId } from './redeliveries.ts';
import {
  type DescribedTask,
  describeWorkflow,
  taskUnavailable,
  type WholeTask,
} from './taskRecord.ts';
import { attributeKeys } from '../../contract/searchAttributes.ts';

/** Why a callback can't be sent again yet. */
export const BEING_DELIVERED = 'The callback is being delivered';

const START_WITHIN_MS = 4_000;
const REDELIVERIES = 20;

/** Reads how a task's callback was delivered: by the task itself, and then by each redelivery. */
export async function readDeliveries(
  calls: TemporalCalls,
  task: DescribedTask,
  finished: WholeTask['finished'],
): Promise<TaskDeliveries> {
  const { callback, callbackUrl } = task;
  if (!callback || callbackUrl === undefined)
    throw new DomainError('NOT_FOUND', 'The task has no callback');
  const deliveries: TaskDelivery[] = [callback];
  for (let n = 1; n <= REDELIVERIES; n++) {
    const description = await describeWorkflow(calls, redeliveryId(task.taskId, n));
    if (description === null) break;
    const { startTime, memo } = description;
    const requestedBy = memo?.['requestedBy'] as Creator | undefined;
    const redeliveryRequest = withoutUndefined({
      requestedAt: startTime.toISOString(),
      requestedBy,
    });
    deliveries.push({ ...(await readDelivery(calls.client, description)), ...redeliveryRequest });
  }
  return { callbackUrl, deliveries, ...withoutUndefined({ finished }) };
}

/**
 * Delivers a finished task's callback again, as a separate workflow.
 * @throws DomainError NOT_FOUND for a task without callback, CONFLICT while the task runs or a
 *   delivery is in progress
 */
export async function startRedelivery(
  calls: TemporalCalls,
  task: WholeTask,
  requestedBy: Creator,
  { workflowTaskTimeout, heartbeats }: Pick<TaskStartOptions, 'workflowTaskTimeout' | 'heartbeats'>,
): Promise<void> {
  const { deliveries } = await readDeliveries(calls, task, task.finished);
  const { taskId, organizationId, siteId, createdAt, callbackUrl, finished, isClosed } = task;
  if (!finished || callbackUrl === undefined) throw deliveryConflict(TASK_RUNNING);
  if (!isClosed || deliveries.at(-1)?.state === 'pending') throw deliveryConflict(BEING_DELIVERED);
  if (deliveries.length > REDELIVERIES)
    throw deliveryConflict(
      `The callback was already redelivered ${REDELIVERIES} times, the most that is possible`,
    );
  const taskRef = {
    taskId,
    organizationId,
    siteId,
    createdAt,
    ...withoutUndefined({ heartbeats }),
  };
  const options = {
    workflowId: redeliveryId(taskId, deliveries.length),
    taskQueue: TASK_QUEUE,
    args: [{ task: taskRef, callbackUrl, finished }],
    workflowIdReusePolicy: 'REJECT_DUPLICATE' as const,
    workflowTaskTimeout,
    memo: { requestedBy },
    typedSearchAttributes: [
      { key: attributeKeys.organizationId, value: organizationId },
      { key: attributeKeys.siteId, value: siteId },
      { key: attributeKeys.callbackStatus, value: 'pending' },
    ],
    priority: { fairnessKey: organizationId },
    staticSummary: `Redeliver the callback of ${taskId}`,
  };
  try {
    await calls.within(START_WITHIN_MS, () =>
      calls.client.workflow.start(REDELIVER_WORKFLOW, options),
    );
  } catch (cause) {
    if (cause instanceof WorkflowExecutionAlreadyStartedError)
      throw deliveryConflict(BEING_DELIVERED);
    throw taskUnavailable(cause);
  }
}

const deliveryConflict = (message: string) => new DomainError('CONFLICT', message);
