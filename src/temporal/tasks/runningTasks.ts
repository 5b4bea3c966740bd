import { Client, type ConnectionLike, type WorkflowExecutionInfo } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import type { Retention } from '../../../activities/deps.ts';
import { BATCH_WORKFLOW } from '../../contract/batch.ts';
import { TASK_WORKFLOW } from '../../contract/task.ts';
import { DomainError } from '../../errors.ts';
import type { TaskLeases } from '../../storage/taskLeases.ts';
import { callUntilAborted } from '../abortableCall.ts';
import { describeListed, atOnce, describeRun } from './describeListed.ts';
import { quote } from './visibilityQueries.ts';
import { attributeKeys } from '../../contract/searchAttributes.ts';

const ANSWERS_WITHIN_MS = 30_000;

interface Options {
  /** A worker's connection is enough. */
  connection: ConnectionLike;
  namespace: string;
  dataConverter?: DataConverter;
  leases: Pick<TaskLeases, 'ofSites'>;
}

/**
 * Makes a function that returns the running tasks and batches of sites, and the tasks whose results
 * they build on. Temporal's visibility lists them, and each that is not new has a lease. `describe`
 * decides if the two differ.
 * @returns a function that throws UNAVAILABLE if Temporal does not answer
 */
export function createRunningTasks({
  connection,
  namespace,
  dataConverter = {},
  leases,
}: Options): Retention['runningTasks'] {
  const client = new Client({ connection, namespace, dataConverter });

  async function list(siteIds: string[], leased: string[]): Promise<Map<string, Set<string>>> {
    const running = new Map(siteIds.map((siteId) => [siteId, new Set<string>()]));
    const listed = await listRunning(client, siteIds);
    const missing = leased.filter(
      (taskId) => !listed.some(({ workflowId }) => workflowId === taskId),
    );
    const unlisted = await atOnce(missing, (taskId) => describeRun(client, taskId));
    for (const task of [...(await describeListed(client, listed)), ...unlisted]) {
      if (task?.status.name !== 'RUNNING') continue;
      const { workflowId, memo, typedSearchAttributes } = task;
      const site = running.get(typedSearchAttributes.get(attributeKeys.siteId) ?? '');
      for (const taskId of [workflowId, memo?.['onto'], memo?.['publishes']])
        if (typeof taskId === 'string') site?.add(taskId);
    }
    return running;
  }

  return async (siteIds, signal) => {
    if (siteIds.length === 0) return new Map();
    const leased = await leases.ofSites(siteIds);
    const inTime = () =>
      client.withDeadline(Date.now() + ANSWERS_WITHIN_MS, () => list(siteIds, leased));
    return callUntilAborted(client, [signal], inTime).catch((cause: unknown) => {
      signal?.throwIfAborted();
      throw new DomainError('UNAVAILABLE', 'Temporal does not tell which tasks run', {
        retryable: true,
        reason: 'Temporal does not answer',
        cause,
      });
    });
  };
}

async function listRunning(client: Client, siteIds: string[]): Promise<WorkflowExecutionInfo[]> {
  const ofSites = `SiteId IN (${siteIds.map(quote).join(', ')})`;
  const types = [TASK_WORKFLOW, BATCH_WORKFLOW].map(quote).join(', ');
  const query = `WorkflowType IN (${types}) AND ExecutionStatus = 'Running' AND ${ofSites}`;
  const listed: WorkflowExecutionInfo[] = [];
  for await (const info of client.workflow.list({ query })) listed.push(info);
  return listed;
}
