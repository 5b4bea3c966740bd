import { Client, type ConnectionLike, type WorkflowExecutionInfo } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import type { CleanUpRetention } from '../../../activities/deps.ts';
import { BATCH_WORKFLOW } from '../../contract/batches/batch.ts';
import { TASK_WORKFLOW } from '../../contract/task.ts';
import { DomainError } from '../../errors.ts';
import type { TaskLeases } from '../../storage/taskLeases.ts';
import { callUntilAborted } from '../abortableCall.ts';
import { mapConcurrently } from '../../mapConcurrently.ts';
import { describeListed, describeRun } from './describeListed.ts';
import { quoteValue } from './visibilityQueries.ts';
import { attributeKeys } from '../../contract/searchAttributes.ts';

const ANSWERS_WITHIN_MS = 30_000;

interface RunningTasksOptions {
  /** A worker's connection is enough. */
  connection: ConnectionLike;
  namespace: string;
  dataConverter?: DataConverter;
  leases: Pick<TaskLeases, 'ofSites'>;
}

/**
 * Creates a function that returns the running tasks and batches of sites, with the tasks whose
 * results they build on or publish: these results must not be removed. Reads Temporal's list of
 * workflows, which may lag behind, and the permits in the database. If the two differ, `describe`
 * decides.
 * @returns a function that throws UNAVAILABLE if Temporal does not answer
 */
export function createRunningTasks({
  connection,
  namespace,
  dataConverter = {},
  leases,
}: RunningTasksOptions): CleanUpRetention['runningTasks'] {
  const client = new Client({ connection, namespace, dataConverter });

  async function listTasksOfSites(
    siteIds: string[],
    leasedTaskIds: string[],
  ): Promise<Map<string, Set<string>>> {
    const runningBySite = new Map(siteIds.map((siteId) => [siteId, new Set<string>()]));
    const listedWorkflows = await listRunning(client, siteIds);
    const missingTaskIds = leasedTaskIds.filter(
      (taskId) => !listedWorkflows.some(({ workflowId }) => workflowId === taskId),
    );
    const unlistedTasks = await mapConcurrently(missingTaskIds, (taskId) =>
      describeRun(client, taskId),
    );
    for (const task of [...(await describeListed(client, listedWorkflows)), ...unlistedTasks]) {
      if (task?.status.name !== 'RUNNING') continue;
      const { workflowId, memo, typedSearchAttributes } = task;
      const siteTasks = runningBySite.get(typedSearchAttributes.get(attributeKeys.siteId) ?? '');
      for (const taskId of [workflowId, memo?.['baseTaskId'], memo?.['publishes']])
        if (typeof taskId === 'string') siteTasks?.add(taskId);
    }
    return runningBySite;
  }

  return async (siteIds, signal) => {
    if (siteIds.length === 0) return new Map();
    const leasedTaskIds = await leases.ofSites(siteIds);
    const listInTime = () =>
      client.withDeadline(Date.now() + ANSWERS_WITHIN_MS, () =>
        listTasksOfSites(siteIds, leasedTaskIds),
      );
    return callUntilAborted(client, [signal], listInTime).catch((cause: unknown) => {
      signal?.throwIfAborted();
      throw new DomainError('UNAVAILABLE', 'Temporal did not list the running tasks', {
        retryable: true,
        reason: 'Temporal did not answer',
        cause,
      });
    });
  };
}

async function listRunning(client: Client, siteIds: string[]): Promise<WorkflowExecutionInfo[]> {
  const siteCondition = `SiteId IN (${siteIds.map(quoteValue).join(', ')})`;
  const typeList = [TASK_WORKFLOW, BATCH_WORKFLOW].map(quoteValue).join(', ');
  const query = `WorkflowType IN (${typeList}) AND ExecutionStatus = 'Running' AND ${siteCondition}`;
  const listedWorkflows: WorkflowExecutionInfo[] = [];
  for await (const workflow of client.workflow.list({ query })) listedWorkflows.push(workflow);
  return listedWorkflows;
}
