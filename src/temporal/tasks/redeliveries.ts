import { REDELIVER_WORKFLOW } from '../../contract/task.ts';
import { listPage } from './describeListed.ts';
import type { TemporalCalls } from './temporalCalls.ts';
import { quoteValue } from './visibilityQueries.ts';
import { callbackStateIn } from './taskRecord.ts';
import type { LatestCallbackState } from './taskService.ts';

/** Most redeliveries that are read: running ones, then the latest. Older ones are ignored. */
const MOST = 2_000;
const AT_ONCE = 1_000;

/** The workflow id of the n-th redelivery of a task's callback, counted from 1. */
export const redeliveryId = (taskId: string, n: number) => `${taskId}-callback-${n}`;

/**
 * Reads the state of the latest redelivery of each task's callback from Temporal's visibility (its
 * searchable list of workflows). Tasks without redeliveries are missing.
 * @returns the states by taskId
 * @throws the client's error
 */
export async function latestRedeliveries(
  calls: TemporalCalls,
  organizationId: string,
): Promise<Map<string, LatestCallbackState>> {
  const query = `WorkflowType = ${quoteValue(REDELIVER_WORKFLOW)} AND OrganizationId = ${quoteValue(organizationId)}`;
  const latestByTask = new Map<string, { n: number; state: LatestCallbackState }>();
  let nextPageToken: Uint8Array = Buffer.alloc(0);
  for (let readCount = 0; readCount < MOST; readCount += AT_ONCE) {
    const page = await listPage(calls, { query, pageSize: AT_ONCE, nextPageToken });
    for (const workflow of page.found) {
      if (workflow === null) continue;
      const [taskId = '', n] = workflow.workflowId.split('-callback-', 2);
      const state = callbackStateIn(workflow);
      if (state && Number(n) > (latestByTask.get(taskId)?.n ?? 0))
        latestByTask.set(taskId, { n: Number(n), state });
    }
    ({ nextPageToken } = page);
    if (!nextPageToken?.length) break;
  }
  return new Map([...latestByTask].map(([taskId, { state }]) => [taskId, state]));
}
