import { Client, type ConnectionLike } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import type { Retention } from '../../../activities/deps.ts';
import { TASK_WORKFLOW } from '../../contract/task.ts';
import { DomainError } from '../../errors.ts';
import { quote } from './queries.ts';

const ANSWERS_WITHIN_MS = 30_000;

/**
 * The tasks that run, by their sites, with those on whose results they work, as Temporal's visibility lists them.
 * @param connection that of a worker will do
 * @returns throws UNAVAILABLE where Temporal does not answer
 */
export function createRunningTasks(
  connection: ConnectionLike,
  namespace: string,
  dataConverter: DataConverter = {},
): Retention['runningTasks'] {
  const client = new Client({ connection, namespace, dataConverter });

  async function list(siteIds: string[]): Promise<Map<string, Set<string>>> {
    const running = new Map(siteIds.map((siteId) => [siteId, new Set<string>()]));
    const ofSites = `SiteId IN (${siteIds.map(quote).join(', ')})`;
    const query = `WorkflowType = ${quote(TASK_WORKFLOW)} AND ExecutionStatus = 'Running' AND ${ofSites}`;
    for await (const { workflowId, memo, searchAttributes } of client.workflow.list({ query })) {
      const site = running.get(String(searchAttributes['SiteId']?.[0]));
      for (const taskId of [workflowId, memo?.['onto'], memo?.['publishes']])
        if (typeof taskId === 'string') site?.add(taskId);
    }
    return running;
  }

  return async (siteIds, signal = new AbortController().signal) => {
    if (siteIds.length === 0) return new Map();
    const inTime = () => client.withDeadline(Date.now() + ANSWERS_WITHIN_MS, () => list(siteIds));
    return client.withAbortSignal(signal, inTime).catch((cause: unknown) => {
      signal.throwIfAborted();
      throw new DomainError('UNAVAILABLE', 'Temporal does not tell which tasks run', {
        retryable: true,
        reason: 'Temporal does not answer',
        cause,
      });
    });
  };
}
